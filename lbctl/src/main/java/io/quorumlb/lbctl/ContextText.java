package io.quorumlb.lbctl;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The written form of contexts, a small part of YAML. It is read here, since a reader of all of YAML takes longer to load than
 * most commands last:
 *
 * <pre>{@code
 * current: site
 * contexts:
 *   site:
 *     endpoints: https://127.0.0.1:7403
 *     tls-ca: /etc/lbctl/ca.crt
 * }</pre>
 */
final class ContextText {
    /** Form of a context's name. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final Pattern LINE = Pattern.compile("( *)([A-Za-z0-9._-]+):(?: +(\\S(?:.*\\S)?))? *");
    private static final int CONTEXT_INDENT = 2;
    private static final int FIELD_INDENT = 4;

    private Optional<String> current = Optional.empty();
    private final SortedMap<String, SortedMap<String, String>> contexts = new TreeMap<>();
    private boolean inContexts;
    private SortedMap<String, String> fields = new TreeMap<>();

    private ContextText() {}

    /**
     * Reads the contexts.
     *
     * @throws IllegalArgumentException naming the line that is wrong
     */
    static Contexts parse(String text) {
        var reader = new ContextText();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.strip().startsWith("#")) {
                continue;
            }
            try {
                reader.take(line);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line %d: %s".formatted(number, e.getMessage()), e);
            }
        }
        SortedMap<String, ConnectionSettings> byName = new TreeMap<>();
        reader.contexts.forEach((name, values) -> byName.put(name, new ConnectionSettings(values)));
        reader.current.filter(name -> !byName.containsKey(name)).ifPresent(name -> {
            throw new IllegalArgumentException("current: there is no context '%s'".formatted(name));
        });
        return new Contexts(reader.current, byName);
    }

    private void take(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'NAME:' or 'NAME: VALUE' expected");
        }
        String key = matcher.group(2);
        Optional<String> value = Optional.ofNullable(matcher.group(3));
        switch (matcher.group(1).length()) {
            case 0 -> top(key, value);
            case CONTEXT_INDENT -> context(key, value);
            case FIELD_INDENT -> field(key, value);
            default ->
                throw new IllegalArgumentException("indented by %d: 0, 2 or 4 spaces expected"
                        .formatted(matcher.group(1).length()));
        }
    }

    private void top(String key, Optional<String> value) {
        inContexts = key.equals("contexts");
        if (inContexts && value.filter(text -> !text.equals("{}")).isEmpty()) {
            return;
        }
        if (!key.equals("current") || value.isEmpty() || current.isPresent()) {
            throw new IllegalArgumentException("'current: NAME' once, or 'contexts:' expected");
        }
        current = value.map(ContextText::plain);
    }

    private void context(String name, Optional<String> value) {
        if (!inContexts || value.isPresent() || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'NAME:' of a context expected, below 'contexts:'");
        }
        fields = new TreeMap<>();
        if (contexts.putIfAbsent(name, fields) != null) {
            throw new IllegalArgumentException("context '%s' is there twice".formatted(name));
        }
    }

    private void field(String key, Optional<String> value) {
        if (contexts.isEmpty() || !inContexts) {
            throw new IllegalArgumentException("'%s' belongs to no context".formatted(key));
        }
        if (!ConnectionSettings.KEYS.contains(key)) {
            throw new IllegalArgumentException(
                    "'%s' is none of %s".formatted(key, String.join(", ", ConnectionSettings.KEYS)));
        }
        String text = plain(value.orElseThrow(() -> new IllegalArgumentException("'%s' has no value".formatted(key))));
        if (fields.putIfAbsent(key, text) != null) {
            throw new IllegalArgumentException("'%s' is there twice".formatted(key));
        }
    }

    /** A value may stand in quotes; there is nothing to escape in names of files and hosts. */
    private static String plain(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String text = quoted ? value.substring(1, value.length() - 1) : value;
        if (text.isEmpty() || text.chars().anyMatch(c -> c == '"' || c == '\\' || Character.isISOControl(c))) {
            throw new IllegalArgumentException("a value without quotes, backslashes and control characters expected");
        }
        return text;
    }

    /** Returns the text of contexts; reading it gives the same. */
    static String write(Contexts contexts) {
        var text = new StringBuilder();
        contexts.current()
                .ifPresent(name -> text.append("current: ").append(name).append('\n'));
        text.append("contexts:\n");
        contexts.byName().forEach((name, settings) -> {
            text.append("  ").append(name).append(":\n");
            settings.values()
                    .forEach((key, value) -> text.append("    ")
                            .append(key)
                            .append(": \"")
                            .append(plain(value))
                            .append("\"\n"));
        });
        return text.toString();
    }
}
