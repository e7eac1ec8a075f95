package io.quorumlb.node.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenFileTest {
    static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTokenStandsForWhoItsLineSays() {
        TokenFile file =
                TokenFile.parse("""
                # who may look
                dashboard viewer %s

                  ci\toperator %s
                """.formatted(sha256("look"), sha256("deploy").toUpperCase(java.util.Locale.ROOT)));
        assertEquals(2, file.size());
        assertEquals(Optional.of(new Caller("dashboard", Role.VIEWER, "a:1")), file.find("look", "a:1"));
        assertEquals(Optional.of(new Caller("ci", Role.OPERATOR, "a:1")), file.find("deploy", "a:1"));
        assertEquals(Optional.empty(), file.find("Look", "a:1"));
        assertEquals(Optional.empty(), file.find(sha256("look"), "a:1"));
        assertEquals(Optional.empty(), TokenFile.empty().find("", "a:1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dashboard viewer| 2 fields",
                "dashboard viewer x y| 4 fields",
                "dashboard root SHA| role 'root': viewer, operator or admin expected",
                "dashboard viewer secret-token| not a SHA-256",
                "dash;board viewer SHA| name 'dash;board'"
            })
    void aBadLineIsNamed(String line, String part) {
        String text = "a admin %s\n%s\n".formatted(sha256("a"), line.replace("SHA", sha256("b")));
        String message = refused(text);
        assertTrue(message.startsWith("line 2: "), message);
        assertTrue(message.contains(part), message);
        assertFalse(message.contains("secret-token"), message);
    }

    @Test
    void oneTokenStandsForOneOnly() {
        String line = " viewer %s\n".formatted(sha256("a"));
        assertTrue(refused("a" + line + "b" + line).startsWith("line 2: the same token"));
    }

    @Test
    void thereIsALimit() {
        var text = new StringBuilder();
        for (int i = 0; i <= TokenFile.COUNT_MAX; i++) {
            text.append("a viewer ").append(sha256("t" + i)).append('\n');
        }
        assertTrue(refused(text.toString()).startsWith("line 1001: more than 1000 tokens"));
    }

    private static String refused(String text) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> TokenFile.parse(text))
                .getMessage());
    }

    @Test
    void whateverIsThereIsReadOrRefusedWithItsLine() {
        Random random = new Random(11);
        String good = "a viewer " + sha256("a") + "\n# b\nci operator " + sha256("b") + "\n";
        for (int i = 0; i < 5_000; i++) {
            var bent = new StringBuilder(good);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(bent.length());
                switch (random.nextInt(3)) {
                    case 0 -> bent.setCharAt(at, (char) random.nextInt(0x1_0000));
                    case 1 -> bent.insert(at, (char) random.nextInt(128));
                    default -> bent.deleteCharAt(at);
                }
            }
            try {
                assertTrue(TokenFile.parse(bent.toString()).size() <= 3);
            } catch (IllegalArgumentException e) {
                String message = String.valueOf(e.getMessage());
                assertTrue(message.matches("line \\d: .*") && message.length() < 300, message);
            }
        }
    }
}
