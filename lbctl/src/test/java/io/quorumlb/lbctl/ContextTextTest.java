package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ContextTextTest {
    private static final Contexts TWO = new Contexts(
            Optional.of("site"),
            new TreeMap<>(Map.of(
                    "site",
                    new ConnectionSettings(new TreeMap<>(Map.of(
                            "endpoints", "https://127.0.0.1:7403,[::1]:7403", "tls-ca", "/etc/with space/ca.crt"))),
                    "other.lab",
                    new ConnectionSettings(new TreeMap<>(Map.of("endpoints", "10.0.0.1:7403"))))));

    @Test
    void whatIsWrittenIsReadAgain() {
        assertEquals(TWO, ContextText.parse(ContextText.write(TWO)));
        assertEquals(Contexts.none(), ContextText.parse(ContextText.write(Contexts.none())));
        assertEquals(Contexts.none(), ContextText.parse(""));
    }

    @Test
    void itIsYaml() {
        assertEquals(
                Map.of(
                        "current",
                        "site",
                        "contexts",
                        Map.of(
                                "site",
                                Map.of(
                                        "endpoints",
                                        "https://127.0.0.1:7403,[::1]:7403",
                                        "tls-ca",
                                        "/etc/with space/ca.crt"),
                                "other.lab",
                                Map.of("endpoints", "10.0.0.1:7403"))),
                new Load(LoadSettings.builder().build()).loadFromString(ContextText.write(TWO)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "current: a| current: there is no context 'a'",
                "contexts:;  a:;    nope: 1| line 3: 'nope' is none of endpoints",
                "contexts:;  a:;    endpoints:| line 3: 'endpoints' has no value",
                "contexts:;  a:;    endpoints: x;    endpoints: y| line 4: 'endpoints' is there twice",
                "contexts:;  a:;  a:| line 3: context 'a' is there twice",
                "contexts:;   a:| line 2: indented by 3",
                "~~a:| line 1: 'NAME:' of a context expected",
                "~~~~endpoints: x| line 1: 'endpoints' belongs to no context",
                "contexts:;  a:;    endpoints: \"x| line 3: a value without quotes",
                "what| line 1: 'NAME:' or 'NAME: VALUE' expected",
                "other: x| line 1: 'current: NAME' once"
            })
    void aWrongLineIsNamed(String text, String part) {
        String message = String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> ContextText.parse(text.replace(';', '\n').replace('~', ' ')))
                .getMessage());
        assertTrue(message.startsWith(part), message);
    }

    @Test
    void whateverIsThereIsReadOrRefused() {
        String good = ContextText.write(TWO);
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            var bent = new StringBuilder(good);
            for (int change = random.nextInt(3); change >= 0; change--) {
                int at = random.nextInt(bent.length());
                if (random.nextBoolean()) {
                    bent.setCharAt(at, (char) random.nextInt(256));
                } else {
                    bent.deleteCharAt(at);
                }
            }
            try {
                Contexts read = ContextText.parse(bent.toString());
                assertEquals(read, ContextText.parse(ContextText.write(read)));
            } catch (IllegalArgumentException e) {
                assertTrue(
                        List.of("line", "curr")
                                .contains(String.valueOf(e.getMessage()).substring(0, 4)),
                        e::toString);
            }
        }
    }
}
