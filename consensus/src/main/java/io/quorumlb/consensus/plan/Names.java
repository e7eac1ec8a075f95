package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.model.Member;
import java.util.List;
import java.util.stream.Collectors;

/** Lists for people that stay short however many there are. */
final class Names {
    private static final int SHOWN = 8;

    private Names() {}

    static String of(List<Member> members) {
        return join(members.stream().map(Member::name).toList());
    }

    static String join(List<String> texts) {
        String shown = texts.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return texts.size() > SHOWN ? "%s and %d more".formatted(shown, texts.size() - SHOWN) : shown;
    }
}
