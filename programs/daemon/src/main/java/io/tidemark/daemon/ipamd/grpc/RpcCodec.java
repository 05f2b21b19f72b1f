package io.tidemark.daemon.ipamd.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.tidemark.daemon.ipamd.NodeFacts;
import io.tidemark.daemon.ipamd.PodReply;
import io.tidemark.daemon.ipamd.PodRequest;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.daemon.ipamd.WireForm;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.IpFamily;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Messages of package {@code rpc} of the VPC CNI, and of gRPC's health service, as bytes. Written
 * by hand from the field numbers: the messages are few, flat and fixed, and a generator would be a
 * program of the build.
 */
final class RpcCodec {
  /** Of a request; real ones have some hundred bytes. */
  static final int BYTES_MAX = 64 << 10;

  private static final Set<Integer> ADD_TEXTS = Set.of(1, 2, 3, 4, 5, 6, 7, 8);
  private static final Set<Integer> DEL_TEXTS = Set.of(1, 2, 3, 5, 6, 7, 8, 9, 10);
  private static final int SERVING = 1;
  private static final int NOT_SERVING = 2;

  private RpcCodec() {}

  // ---- requests

  static PodRequest addRequest(byte[] bytes) throws InvalidMessageException {
    Fields fields = Fields.read(bytes, ADD_TEXTS, 9);
    return new PodRequest(
        new IpamKey(fields.text(6), fields.text(7), fields.text(5)),
        fields.text(2),
        fields.text(1),
        fields.text(8));
  }

  static PodRequest delRequest(byte[] bytes) throws InvalidMessageException {
    Fields fields = Fields.read(bytes, DEL_TEXTS, Fields.NO_FLAG);
    return new PodRequest(
        new IpamKey(fields.text(7), fields.text(8), fields.text(6)),
        fields.text(2),
        fields.text(1),
        fields.text(9));
  }

  /** The plugin's word for why a pod ends. */
  static String reason(byte[] delRequest) throws InvalidMessageException {
    return Fields.read(delRequest, DEL_TEXTS, Fields.NO_FLAG).text(5);
  }

  static String healthRequest(byte[] bytes) throws InvalidMessageException {
    return Fields.read(bytes, Set.of(1), Fields.NO_FLAG).text(1);
  }

  static void emptyRequest(byte[] bytes) throws InvalidMessageException {
    Fields.read(bytes, Set.of(), Fields.NO_FLAG);
  }

  /**
   * The fields of a request by their numbers; the last one of a number counts, as the format has
   * it.
   */
  private record Fields(Map<Integer, String> texts) {
    static final int NO_FLAG = -1;

    /**
     * Reads a request.
     *
     * @param texts the fields that are texts, also those that nobody here uses
     * @param flag the field that is a flag, which nobody here uses
     */
    static Fields read(byte[] bytes, Set<Integer> texts, int flag) throws InvalidMessageException {
      if (bytes.length > BYTES_MAX) {
        throw new InvalidMessageException(
            "the request has " + bytes.length + " bytes; expected at most " + BYTES_MAX);
      }
      Fields fields = new Fields(new HashMap<>());
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      try {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          int number = WireFormat.getTagFieldNumber(tag);
          if (texts.contains(number)) {
            expect(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            fields.texts.put(number, in.readStringRequireUtf8());
          } else if (number == flag) {
            expect(tag, WireFormat.WIRETYPE_VARINT);
            in.readBool();
          } else if (!in.skipField(tag)) {
            throw new InvalidMessageException("a group ends that did not begin");
          }
        }
        return fields;
      } catch (IOException e) {
        throw new InvalidMessageException("the request cannot be read: " + e.getMessage());
      }
    }

    private static void expect(int tag, int type) throws InvalidMessageException {
      if (WireFormat.getTagWireType(tag) != type) {
        throw new InvalidMessageException(
            "field "
                + WireFormat.getTagFieldNumber(tag)
                + " has wire type "
                + WireFormat.getTagWireType(tag)
                + "; expected "
                + type);
      }
    }

    String text(int number) {
      return texts.getOrDefault(number, "");
    }
  }

  // ---- replies

  static byte[] addReply(PodReply reply, VpcRouting routing) {
    return message(
        out -> {
          flag(out, 1, reply.success());
          if (reply.form() == WireForm.ADDRESS_LIST) {
            list(out, reply.assignments());
          } else if (!reply.assignments().isEmpty()) {
            Assignment only = reply.assignments().get(0);
            text(out, 2, addressOf(only, IpFamily.IPV4));
            number(out, 4, only.deviceNumber());
            text(out, 11, addressOf(only, IpFamily.IPV6));
          }
          flag(out, 5, routing.externalSnat());
          for (String cidr : routing.v4Cidrs()) {
            out.writeString(6, cidr);
          }
          for (String cidr : routing.v6Cidrs()) {
            out.writeString(12, cidr);
          }
        });
  }

  static byte[] delReply(PodReply reply) {
    return message(
        out -> {
          flag(out, 1, reply.success());
          if (reply.form() == WireForm.ADDRESS_LIST) {
            list(out, reply.assignments());
          } else if (!reply.assignments().isEmpty()) {
            Assignment first = reply.assignments().get(0);
            text(out, 2, addressOf(first, IpFamily.IPV4));
            number(out, 3, first.deviceNumber());
            text(out, 5, addressOf(first, IpFamily.IPV6));
          }
        });
  }

  /**
   * The mode of network policies, field 1, stays empty: none are enforced here. Nor is field 2 set:
   * no pod has an address of each network card.
   */
  static byte[] facts(NodeFacts node) {
    return message(
        out -> {
          text(out, 3, node.ipv4());
          text(out, 4, node.ipv6());
          text(out, 5, node.instanceId());
          text(out, 6, node.region());
        });
  }

  static byte[] health(boolean serves) {
    return message(out -> out.writeEnum(1, serves ? SERVING : NOT_SERVING));
  }

  private static void list(CodedOutputStream out, List<Assignment> assignments) throws IOException {
    for (Assignment each : assignments) {
      out.writeByteArray(
          2,
          message(
              inner -> {
                text(inner, 1, addressOf(each, IpFamily.IPV4));
                text(inner, 2, addressOf(each, IpFamily.IPV6));
                number(inner, 3, each.deviceNumber());
                number(inner, 4, each.routeTableId());
              }));
    }
  }

  private static String addressOf(Assignment assignment, IpFamily family) {
    return assignment.address().family() == family ? assignment.address().toString() : "";
  }

  private interface Content {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      content.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  // A field with the default value of its type is left out, as the format has it.

  private static void text(CodedOutputStream out, int field, String value) throws IOException {
    if (!value.isEmpty()) {
      out.writeString(field, value);
    }
  }

  private static void number(CodedOutputStream out, int field, int value) throws IOException {
    if (value != 0) {
      out.writeInt32(field, value);
    }
  }

  private static void flag(CodedOutputStream out, int field, boolean value) throws IOException {
    if (value) {
      out.writeBool(field, true);
    }
  }
}
