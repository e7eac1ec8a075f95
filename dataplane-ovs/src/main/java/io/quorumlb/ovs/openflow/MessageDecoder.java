package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the byte stream into messages and decodes them. The first wrong byte ends it with a
 * {@link MalformedMessageException}; after that nothing more is decoded.
 */
final class MessageDecoder extends ByteToMessageDecoder {
    private static final int HELLO_ELEMENT_VERSION_BITMAP = 1;
    private static final int PORT_FIXED_LENGTH = 40;
    private static final int PORT_NAME_LENGTH = 16;
    private static final int OFPET_HELLO_FAILED = 0;

    private final KnownFlows flows = new KnownFlows();
    private boolean broken;

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (broken) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < Wire.HEADER_LENGTH) {
            return;
        }
        try {
            // The header is checked before its message is waited for: garbage may announce 60 kB that never come.
            int length = checkHeader(in);
            if (in.readableBytes() >= length) {
                out.add(decodeMessage(in.readSlice(length), flows));
            }
        } catch (MalformedMessageException malformed) {
            broken = true;
            throw malformed;
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int before;
        do {
            before = in.readableBytes();
            decode(context, in, out);
        } while (in.readableBytes() < before);
        if (before > 0) {
            broken = true;
            throw new MalformedMessageException("the stream ended within a message, after " + before + " bytes of it");
        }
    }

    private static int checkHeader(ByteBuf in) {
        int start = in.readerIndex();
        int version = in.getUnsignedByte(start);
        int type = in.getUnsignedByte(start + 1);
        int length = in.getUnsignedShort(start + 2);
        // Greetings and their refusal come in the version of the one who sends them.
        if (version != Wire.VERSION && type != Wire.OFPT_HELLO && type != Wire.OFPT_ERROR) {
            throw new MalformedMessageException("OpenFlow version must be " + Wire.VERSION + " (1.5), is " + version
                    + " in a message of type " + type);
        }
        if (length < Wire.HEADER_LENGTH) {
            throw new MalformedMessageException("message length must be at least 8, is " + length + ", type " + type);
        }
        if (!isKnown(type)) {
            throw new MalformedMessageException("message type must be one a switch sends, is " + type);
        }
        return length;
    }

    private static boolean isKnown(int type) {
        return switch (type) {
            case Wire.OFPT_HELLO,
                    Wire.OFPT_ERROR,
                    Wire.OFPT_ECHO_REQUEST,
                    Wire.OFPT_ECHO_REPLY,
                    Wire.OFPT_EXPERIMENTER,
                    Wire.OFPT_FEATURES_REPLY,
                    Wire.OFPT_PACKET_IN,
                    Wire.OFPT_FLOW_REMOVED,
                    Wire.OFPT_PORT_STATUS,
                    Wire.OFPT_MULTIPART_REPLY,
                    Wire.OFPT_BARRIER_REPLY,
                    Wire.OFPT_ROLE_STATUS,
                    Wire.OFPT_TABLE_STATUS,
                    Wire.OFPT_REQUESTFORWARD,
                    Wire.OFPT_BUNDLE_CONTROL,
                    Wire.OFPT_CONTROLLER_STATUS -> true;
            default -> false;
        };
    }

    /**
     * Decodes one whole message.
     *
     * @param flows that earlier messages have listed
     * @throws MalformedMessageException if its body is wrong
     */
    static Message decodeMessage(ByteBuf in, KnownFlows flows) {
        int version = in.readUnsignedByte();
        int type = in.readUnsignedByte();
        in.skipBytes(2);
        int xid = in.readInt();
        try {
            return switch (type) {
                case Wire.OFPT_HELLO -> new Message.Hello(xid, version, versionBitmap(in));
                case Wire.OFPT_ERROR -> failure(xid, in);
                case Wire.OFPT_ECHO_REQUEST -> new Message.EchoRequest(xid, ByteBufUtil.hexDump(in));
                case Wire.OFPT_ECHO_REPLY -> new Message.EchoReply(xid);
                case Wire.OFPT_FEATURES_REPLY -> features(xid, in);
                case Wire.OFPT_MULTIPART_REPLY -> multipart(xid, in, flows);
                case Wire.OFPT_PACKET_IN -> packetIn(xid, in);
                case Wire.OFPT_BARRIER_REPLY -> new Message.BarrierReply(xid);
                case Wire.OFPT_BUNDLE_CONTROL ->
                    new Message.BundleControl(xid, in.readInt(), BundleStep.of(in.readUnsignedShort()));
                default -> new Message.Notice(xid, type);
            };
        } catch (IndexOutOfBoundsException | IllegalArgumentException wrongBody) {
            throw new MalformedMessageException(
                    "message of type " + type + " has a wrong body: " + wrongBody.getMessage(), wrongBody);
        }
    }

    private static int versionBitmap(ByteBuf in) {
        while (in.readableBytes() >= 4) {
            ByteBuf element = Wire.typed(in, 4, "hello element");
            Wire.part(
                    in,
                    Math.min(in.readableBytes(), Wire.padded(element.readableBytes()) - element.readableBytes()),
                    "padding");
            if (element.readUnsignedShort() == HELLO_ELEMENT_VERSION_BITMAP && element.readableBytes() >= 6) {
                return element.skipBytes(2).readInt();
            }
        }
        return 0;
    }

    private static Message failure(int xid, ByteBuf in) {
        int type = in.readUnsignedShort();
        int code = in.readUnsignedShort();
        String data = type == OFPET_HELLO_FAILED ? in.toString(StandardCharsets.US_ASCII) : ByteBufUtil.hexDump(in);
        return new Message.Failure(xid, type, code, data);
    }

    private static Message features(int xid, ByteBuf in) {
        long datapathId = in.readLong();
        in.skipBytes(4);
        return new Message.Features(xid, datapathId, in.readUnsignedByte());
    }

    private static Message packetIn(int xid, ByteBuf in) {
        in.skipBytes(7);
        int table = in.readUnsignedByte();
        long cookie = in.readLong();
        Match fields = OxmCodec.decodeMatch(in);
        return new Message.PacketIn(xid, table, cookie, fields, ByteBufUtil.hexDump(in.skipBytes(2)));
    }

    private static Message multipart(int xid, ByteBuf in, KnownFlows flows) {
        int type = in.readUnsignedShort();
        boolean more = (in.readUnsignedShort() & Wire.OFPMPF_REPLY_MORE) != 0;
        in.skipBytes(4);
        return switch (type) {
            case Wire.OFPMP_FLOW_DESC -> new Message.Flows(xid, FlowDescriptionDecoder.decodeAll(in, flows), more);
            case Wire.OFPMP_GROUP_DESC -> new Message.Groups(xid, GroupCodec.decodeAll(in), more);
            case Wire.OFPMP_PORT_DESC -> new Message.Ports(xid, ports(in), more);
            case Wire.OFPMP_FLOW_MONITOR -> new Message.FlowUpdates(xid, FlowUpdateDecoder.decodeAll(in));
            default -> throw new MalformedMessageException("multipart type must be 1, 7, 13 or 16, is " + type);
        };
    }

    private static List<PortDescription> ports(ByteBuf in) {
        var ports = new ArrayList<PortDescription>();
        while (in.isReadable()) {
            int length = in.getUnsignedShort(in.readerIndex() + 4);
            if (length < PORT_FIXED_LENGTH) {
                throw new MalformedMessageException("port length must be at least 40, is " + length);
            }
            ByteBuf port = Wire.part(in, length, "port");
            int number = port.readInt();
            port.skipBytes(4);
            var mac = new MacAddress(Wire.readUnsigned(port, 6));
            port.skipBytes(2);
            String name = port.readCharSequence(PORT_NAME_LENGTH, StandardCharsets.US_ASCII)
                    .toString();
            int end = name.indexOf('\0');
            ports.add(new PortDescription(number, end < 0 ? name : name.substring(0, end), mac));
        }
        return ports;
    }
}
