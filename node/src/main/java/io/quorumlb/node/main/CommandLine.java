package io.quorumlb.node.main;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the command line asks for. */
sealed interface CommandLine {
    /** How to call the program. */
    String USAGE = """
            usage: lbnode FILE           run the node that FILE (YAML) configures
                   lbnode --check FILE   only say whether FILE can be used
            exit: 0 checked or stopped, 1 the node cannot run, 64 wrong usage or configuration""";

    /** Run the node. */
    record Run(Path file) implements CommandLine {}

    /** Check the configuration. */
    record Check(Path file) implements CommandLine {}

    /** Show how to call the program. */
    record Help() implements CommandLine {}

    /** It cannot be understood. */
    record Wrong(String problem) implements CommandLine {}

    /** Reads the arguments. */
    static CommandLine parse(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            return new Help();
        }
        boolean check = arguments.contains("--check");
        List<String> files = arguments.stream()
                .filter(argument -> !argument.equals("--check"))
                .toList();
        Optional<String> option =
                files.stream().filter(argument -> argument.startsWith("-")).findFirst();
        if (option.isPresent()) {
            return new Wrong("'%s' is not an option".formatted(option.get()));
        }
        if (files.size() != 1) {
            return new Wrong("one configuration file is needed, %d are given".formatted(files.size()));
        }
        try {
            Path file = Path.of(files.getFirst());
            return check ? new Check(file) : new Run(file);
        } catch (InvalidPathException _) {
            return new Wrong(
                    "'%s' is not a file name".formatted(files.getFirst().replace('\0', '?')));
        }
    }
}
