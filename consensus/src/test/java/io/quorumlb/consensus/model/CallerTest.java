package io.quorumlb.consensus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallerTest {
    @ParameterizedTest
    @ValueSource(strings = {"anna", "Jörg Müller", "ci@build-7.example.org", "CN=x, O=(y)", "李"})
    void namesOfPeopleAndProgramsAreNames(String name) {
        assertEquals(name, new Caller(name, Role.VIEWER, "10.40.0.9").name());
    }

    // Some of them are nothing that a test report could hold.
    @ParameterizedTest(name = "{index}")
    @ValueSource(strings = {"", " ", "a\nb", "a\u001b[2J", "a\u202eb", "a\u0000", "a|b", "a\ud800"})
    void whatWouldBendATableIsNoName(String name) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> new Caller(name, Role.VIEWER, ""))
                        .getMessage());
        assertTrue(message.startsWith("name '"), message);
        assertFalse(message.codePoints().anyMatch(Character::isISOControl), message);
    }

    @Test
    void lengthsAreBounded() {
        assertEquals(64, new Caller("a".repeat(64), Role.VIEWER, "").name().length());
        String message = String.valueOf(assertThrows(
                        IllegalArgumentException.class, () -> new Caller("a".repeat(10_000), Role.VIEWER, ""))
                .getMessage());
        assertTrue(message.contains("of 10000 characters") && message.length() < 200, message);
        assertThrows(IllegalArgumentException.class, () -> new Caller("a", Role.VIEWER, "a".repeat(65)));
        assertThrows(IllegalArgumentException.class, () -> new Caller("a", Role.VIEWER, "\r"));
    }

    @ParameterizedTest
    @CsvSource({"VIEWER, 1", "OPERATOR, 2", "ADMIN, 3"})
    void aRoleCoversTheOnesBeforeIt(Role role, int covered) {
        int count = 0;
        for (Role needed : Role.values()) {
            count += role.covers(needed) ? 1 : 0;
        }
        assertEquals(covered, count);
        assertTrue(role.covers(role));
    }

    @Test
    void plainTextIsOneLineOfBoundedLength() {
        assertEquals("a?b", PlainText.of("a\nb", 10));
        assertEquals("abcdefg...", PlainText.of("abcdefghijk", 10));
        assertEquals("abcdefghij", PlainText.of("abcdefghij", 10));
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            int length = random.nextInt(40);
            var text = new StringBuilder();
            for (int at = 0; at < length; at++) {
                text.append((char) random.nextInt(0x1_0000));
            }
            String plain = PlainText.of(text.toString(), 10);
            assertTrue(plain.length() <= 10, plain);
            assertTrue(
                    plain.codePoints().noneMatch(c -> Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff)),
                    () -> text.toString());
            assertEquals(plain, PlainText.of(plain, 10));
        }
    }
}
