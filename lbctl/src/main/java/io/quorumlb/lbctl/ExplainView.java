package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Evidence;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberTurn;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.ObserverView;
import io.quorumlb.proto.v1.ProbeOutcome;
import io.quorumlb.proto.v1.Suspicion;
import java.util.Locale;

/** An explanation, one sentence for each fact. */
final class ExplainView implements View<ExplainMemberResponse> {
    @Override
    public void show(ExplainMemberResponse answer, Page page) {
        Member member = answer.getMember();
        page.line(new Cell(
                "%s/%s (%s) takes %d of its weight %d in generation %d"
                        .formatted(
                                member.getPool(),
                                member.getName(),
                                member.getAddress(),
                                answer.getEffectiveWeight(),
                                member.getWeight(),
                                answer.getGeneration()),
                answer.getEffectiveWeight() > 0 ? Cell.Tone.GOOD : Cell.Tone.BAD));
        page.line("because " + answer.getRulingDetail());
        TimersText.phrases(answer.getTimers()).forEach(phrase -> page.line(new Cell(phrase, Cell.Tone.DOUBTFUL)));
        page.line("votes: %d up, %d down, %d without a word younger than %s; %d make a majority"
                .formatted(
                        answer.getVotesUp(),
                        answer.getVotesDown(),
                        answer.getVotesStale(),
                        Age.ofMillis(Integer.toUnsignedLong(answer.getFreshForMillis())),
                        answer.getMajority()));
        if (answer.getPenalty() > 0) {
            page.line(String.format(
                    Locale.ROOT,
                    "penalty for coming and going: %.0f%s; held down above %d until below %d",
                    answer.getPenalty(),
                    answer.getHeldDown() ? ", held down" : "",
                    answer.getFlapLimit(),
                    answer.getFlapReuse()));
        }
        answer.getHoldsList()
                .forEach(hold -> page.line(new Cell(
                        "held back in the pool: %s: %s".formatted(hold.getCode(), hold.getDetail()),
                        Cell.Tone.DOUBTFUL)));
        if (answer.hasNextEffectiveWeight() && answer.getNextEffectiveWeight() != answer.getEffectiveWeight()) {
            page.line("the next generation gives it " + answer.getNextEffectiveWeight());
        }
        turn(answer, page);
        answer.getObserversList().forEach(observer -> observer(answer, observer, page));
        page.gap().line("as %s sees it".formatted(answer.getAnsweredBy()));
    }

    private static void turn(ExplainMemberResponse answer, Page page) {
        if (!answer.hasLastTurn()) {
            page.line("no generation that is kept changed it");
            return;
        }
        MemberTurn turn = answer.getLastTurn();
        page.line("last changed by generation %d%s, %d -> %d, %s: %s"
                .formatted(
                        turn.getNumber(),
                        turn.hasAppliedAgeMillis() ? ", " + Age.ofMillis(turn.getAppliedAgeMillis()) + " ago" : "",
                        turn.getEffectiveBefore(),
                        turn.getEffectiveAfter(),
                        EnumWord.lower(GenerationCause.getDescriptor(), turn.getCauseValue()),
                        turn.getReason()));
        for (Evidence evidence : turn.getEvidenceList()) {
            page.line("  then %s had seen it %s for %s%s"
                    .formatted(
                            evidence.getObserver(),
                            EnumWord.lower(Health.getDescriptor(), evidence.getHealthValue()),
                            Age.ofMillis(evidence.getSinceMillis()),
                            inBrackets(evidence.getDetail())));
        }
    }

    private static void observer(ExplainMemberResponse answer, ObserverView observer, Page page) {
        page.gap().line(new Cell(observer.getObserver() + ":", Cell.Tone.HEADING));
        NodeProbes probes = observer.getProbes();
        if (probes.getAnswered()) {
            page.line("  " + word(answer, probes));
        } else {
            page.line(new Cell("  did not say what it has found: " + probes.getReason(), Cell.Tone.BAD));
        }
        page.line("  " + heard(observer));
        for (ProbeOutcome result : probes.getResultsList()) {
            page.line(new Cell(
                    "  %s ago: %s in %d ms%s%s"
                            .formatted(
                                    Age.ofMillis(result.getAgeMillis()),
                                    result.getSuccess() ? "success" : "failure",
                                    Integer.toUnsignedLong(result.getTookMillis()),
                                    result.getWeak() ? ", weak" : "",
                                    inBrackets(result.getDetail())),
                    result.getSuccess() ? Cell.Tone.PLAIN : Cell.Tone.BAD));
        }
    }

    private static String word(ExplainMemberResponse answer, NodeProbes probes) {
        String row = "%d %s in a row, %d make it up, %d down"
                .formatted(
                        probes.getStreak(),
                        probes.getStreakSuccess() ? "successes" : "failures",
                        answer.getRise(),
                        answer.getFall());
        if (probes.getHealth() == Health.HEALTH_UNSPECIFIED) {
            return "has not seen enough of it yet: " + row;
        }
        return "sees it %s%s%s: %s"
                .formatted(
                        EnumWord.upper(Health.getDescriptor(), probes.getHealthValue()),
                        probes.hasSinceMillis() ? " for " + Age.ofMillis(probes.getSinceMillis()) : "",
                        probes.getSuspicion() == Suspicion.SUSPICION_SUSPECT ? " and doubts it" : "",
                        row);
    }

    private static String heard(ObserverView observer) {
        if (!observer.hasHeardAgeMillis()) {
            return "no word of it has come here: no vote";
        }
        return "its word here is %s, %s old: %s"
                .formatted(
                        EnumWord.upper(Health.getDescriptor(), observer.getHeardValue()),
                        Age.ofMillis(observer.getHeardAgeMillis()),
                        observer.getCounts() ? "a vote" : "too old for a vote");
    }

    private static String inBrackets(String detail) {
        return detail.isEmpty() ? "" : " (" + detail + ")";
    }
}
