package io.quorumlb.node.main;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads a node's configuration from YAML.
 *
 * <pre>{@code
 * node: n1
 * cluster:
 *   id: site
 *   nodes:
 *     - {id: n1, address: 172.30.0.11}
 *     - {id: n2, address: 172.30.0.12}
 *     - {id: n3, address: 172.30.0.13}
 * ports: {raft: 7401, peer: 7402, api: 7400, json: 7403, http: 7480}   # optional, these are the defaults
 * data: /var/lib/quorumlb
 * ovs: {bridge: br-lb, rundir: /run/openvswitch}
 * dataplane: {datapathType: netdev, portType: af_packet}   # optional, these are the defaults; also system, af_xdp
 * uplink: {port: x-uplink, interface: uplink, nextHop: 10.10.0.1, nextHop6: fd00:10::1}   # one of the two at least
 * segments:
 *   p2: {port: x-p2, interface: p2}
 * announce:
 *   birdSocket: /run/bird/bird.ctl
 *   vips: /run/quorumlb/vips.conf                           # where there is a nextHop
 *   vips6: /run/quorumlb/vips6.conf                         # where there is a nextHop6
 *   lease: /run/quorumlb/announce-lease
 * election: {min: 500ms, max: 1000ms}                       # optional, these are the defaults
 * access:                                                   # without it clients are served on loopback only, without TLS
 *   certificate: /etc/quorumlb/access/node.crt              # instead of this section the word open: no TLS, everybody may do everything
 *   key: /etc/quorumlb/access/node.key
 *   clientCa: /etc/quorumlb/access/ca.crt
 *   tokens: /etc/quorumlb/access/tokens                     # optional
 * }</pre>
 */
final class ConfigurationFile {
    private static final long FILE_BYTES_MAX = 1 << 20;

    private ConfigurationFile() {}

    /**
     * Returns the configuration in the file.
     *
     * @throws ConfigurationException if the file cannot be read or its content cannot be used; names everything that
     *     is wrong with it
     */
    static NodeConfiguration load(Path file) throws ConfigurationException {
        return parse(file.toString(), text(file));
    }

    /**
     * Returns the configuration in the text.
     *
     * @param file for messages
     * @throws ConfigurationException as {@link #load}
     */
    static NodeConfiguration parse(String file, String text) throws ConfigurationException {
        var problems = new ArrayList<String>();
        Optional<NodeConfiguration> configuration = new ConfigurationReader(problems).read(tree(file, text));
        return configuration.orElseThrow(() -> new ConfigurationException(file, problems));
    }

    private static String text(Path file) throws ConfigurationException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new ConfigurationException(
                        file.toString(), List.of("it is longer than %d bytes".formatted(FILE_BYTES_MAX)));
            }
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            throw unreadable(file, "there is no such file");
        } catch (AccessDeniedException _) {
            throw unreadable(file, "this user may not read it");
        } catch (CharacterCodingException _) {
            throw unreadable(file, "it is not text in UTF-8");
        } catch (IOException e) {
            throw unreadable(file, "it cannot be read: " + e.getMessage());
        }
    }

    private static ConfigurationException unreadable(Path file, String why) {
        return new ConfigurationException(file.toString(), List.of(why));
    }

    private static JsonNode tree(String file, String text) throws ConfigurationException {
        YAMLMapper mapper = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try {
            JsonNode tree = mapper.readTree(text);
            if (!tree.isObject()) {
                throw new ConfigurationException(
                        file, List.of("it must be YAML with 'name: value' fields, the first for example 'node: n1'"));
            }
            return tree;
        } catch (JacksonException e) {
            throw new ConfigurationException(
                    file,
                    List.of("line %d is not valid YAML: %s"
                            .formatted(
                                    Math.max(e.getLocation().getLineNr(), 1),
                                    e.getOriginalMessage().replaceAll("\\s*[\\r\\n]+\\s*", " "))));
        }
    }
}
