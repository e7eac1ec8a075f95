package io.quorumlb.node.access;

import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.PlainText;
import io.quorumlb.consensus.model.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Tokens and whom they stand for: lines {@code NAME ROLE SHA256}, the digest of the token in 64 hexadecimal digits. The file
 * never has a token itself. Empty lines, and those that begin with #, say nothing.
 */
final class TokenFile {
    /** Most tokens of a file. */
    static final int COUNT_MAX = 1_000;

    private static final int DIGEST_BYTES = 32;

    private final List<Token> tokens;

    /** One line. */
    private static final class Token {
        private final String name;
        private final Role role;
        private final byte[] digest;

        Token(String name, Role role, byte[] digest) {
            this.name = name;
            this.role = role;
            this.digest = digest;
        }
    }

    private TokenFile(List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    /** Returns a file that has no token. */
    static TokenFile empty() {
        return new TokenFile(List.of());
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException naming the line and what is wrong with it, never the digest: somebody may have written
     *     the token there
     */
    static TokenFile parse(String text) {
        List<Token> tokens = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.strip();
            if (content.isEmpty() || content.startsWith("#")) {
                continue;
            }
            try {
                Token token = token(content);
                if (tokens.stream().anyMatch(other -> MessageDigest.isEqual(other.digest, token.digest))) {
                    throw new IllegalArgumentException("the same token stands in a line before");
                }
                tokens.add(token);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line %d: %s".formatted(number, e.getMessage()), e);
            }
            if (tokens.size() > COUNT_MAX) {
                throw new IllegalArgumentException("line %d: more than %d tokens".formatted(number, COUNT_MAX));
            }
        }
        return new TokenFile(tokens);
    }

    private static Token token(String line) {
        String[] fields = line.split("\\s+", -1);
        if (fields.length != 3) {
            throw new IllegalArgumentException(
                    "%d fields: NAME ROLE SHA256 expected, and no spaces in any of them".formatted(fields.length));
        }
        Role role = role(fields[1]);
        // Checks the name.
        var caller = new Caller(fields[0], role, "");
        return new Token(caller.name(), role, digest(fields[2]));
    }

    private static Role role(String word) {
        for (Role role : Role.values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "role '%s': viewer, operator or admin expected".formatted(PlainText.of(word, 20)));
    }

    private static byte[] digest(String hex) {
        if (hex.length() == 2 * DIGEST_BYTES) {
            try {
                return HexFormat.of().parseHex(hex);
            } catch (IllegalArgumentException _) {
                // Said below, without it.
            }
        }
        throw new IllegalArgumentException(
                "the third field is not a SHA-256 of 64 hexadecimal digits (sha256sum of the token without a line end makes one)");
    }

    /** Returns how many tokens are good. */
    int size() {
        return tokens.size();
    }

    /** Returns whom a token stands for; takes as long for any token. */
    Optional<Caller> find(String presented, String address) {
        byte[] digest = sha256(presented);
        Optional<Token> found = Optional.empty();
        for (Token token : tokens) {
            if (MessageDigest.isEqual(token.digest, digest)) {
                found = Optional.of(token);
            }
        }
        return found.map(token -> new Caller(token.name, token.role, address));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
