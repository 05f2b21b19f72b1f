package io.tidemark.daemon.ipamd.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A message in protocol buffers' format, written and read by the rules of the format alone. */
public final class Wire {
  private static final int VARINT = 0;
  private static final int DELIMITED = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public Wire text(int field, String value) {
    return bytes(field, value.getBytes(UTF_8));
  }

  public Wire bytes(int field, byte[] value) {
    varint(((long) field << 3) | DELIMITED);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  public Wire number(int field, long value) {
    varint(((long) field << 3) | VARINT);
    varint(value);
    return this;
  }

  /** Bytes as they are. */
  Wire raw(int... values) {
    Arrays.stream(values).forEach(out::write);
    return this;
  }

  public byte[] done() {
    return out.toByteArray();
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      out.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  // ---- reading

  /** The fields of a message as texts, numbers in decimal; each number with all its values. */
  public static SortedMap<Integer, List<String>> read(byte[] message) {
    SortedMap<Integer, List<String>> fields = new TreeMap<>();
    int[] at = {0};
    while (at[0] < message.length) {
      long tag = varint(message, at);
      String value;
      if ((tag & 7) == VARINT) {
        value = Long.toString(varint(message, at));
      } else {
        int length = (int) varint(message, at);
        value = new String(message, at[0], length, UTF_8);
        at[0] += length;
      }
      fields.computeIfAbsent((int) (tag >>> 3), number -> new ArrayList<>()).add(value);
    }
    return fields;
  }

  private static long varint(byte[] message, int[] at) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = message[at[0]++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  /** The fields of a message within a message. */
  public static SortedMap<Integer, List<String>> inner(String value) {
    return read(value.getBytes(UTF_8));
  }

  /** The values of a field of a message; none when it is left out. */
  public static List<String> values(byte[] message, int field) {
    return read(message).getOrDefault(field, List.of());
  }

  /** The plugin's request for the pod of a container that begins. */
  public static byte[] addition(String container) {
    return addition("pod-" + container, container, "v1.23.1");
  }

  /** The same for a pod of that name, by a plugin of that version. */
  public static byte[] addition(String pod, String container, String version) {
    return new Wire()
        .text(1, pod)
        .text(2, "default")
        .text(5, "eth0")
        .text(6, "aws-cni")
        .text(7, container)
        .text(8, version)
        .done();
  }

  /** When it ends: container, interface and network have other numbers. */
  public static byte[] removal(String container) {
    return new Wire()
        .text(1, "pod-" + container)
        .text(2, "default")
        .text(6, "eth0")
        .text(7, "aws-cni")
        .text(8, container)
        .text(9, "v1.23.1")
        .done();
  }

  /** The first address of the list of a reply, of either family. */
  public static String address(byte[] reply) {
    SortedMap<Integer, List<String>> first = inner(values(reply, 2).get(0));
    return first.getOrDefault(1, first.getOrDefault(2, List.of())).get(0);
  }
}
