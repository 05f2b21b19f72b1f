package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry.UnknownMembers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Writes a checkpoint, in the format of the AWS VPC CNI. A writer that keeps the bytes of each part
 * writes a large file by copying them.
 */
public final class CheckpointJson {
  static final String EXTENSION = "x-tidemark";
  static final JsonFactory FACTORY =
      JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

  private CheckpointJson() {}

  private interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  /** One assignment. */
  public static byte[] entry(CheckpointEntry entry) {
    return object(
        json -> {
          json.writeStringField("networkName", entry.key().networkName());
          json.writeStringField("containerID", entry.key().containerId());
          json.writeStringField("ifName", entry.key().ifName());
          if (entry.ipv4().isPresent()) {
            json.writeStringField("ipv4", entry.ipv4().get().toString());
          }
          if (entry.ipv6().isPresent()) {
            json.writeStringField("ipv6", entry.ipv6().get().toString());
          }
          json.writeNumberField("allocationTimestamp", entry.epochNanos());
          json.writeObjectFieldStart("metadata");
          metadata(json, entry.metadata(), entry.unknown());
          json.writeEndObject();
          raw(json, entry.unknown().ofEntry());
        });
  }

  private static void metadata(JsonGenerator json, IpamMetadata metadata, UnknownMembers unknown)
      throws IOException {
    if (!metadata.podNamespace().isEmpty()) {
      json.writeStringField("k8sPodNamespace", metadata.podNamespace());
    }
    if (!metadata.podName().isEmpty()) {
      json.writeStringField("k8sPodName", metadata.podName());
    }
    if (metadata.interfacesCount() != 0) {
      json.writeNumberField("interfacesCount", metadata.interfacesCount());
    }
    raw(json, unknown.ofMetadata());
  }

  /** Members as they were read: as the name of a member, so that the comma before is written. */
  private static void raw(JsonGenerator json, String members) throws IOException {
    if (!members.isEmpty()) {
      boolean first = !json.getOutputContext().hasCurrentIndex();
      json.writeRaw(first ? members : "," + members);
    }
  }

  /** One address that was released. */
  public static byte[] released(Released released) {
    return object(
        json -> {
          json.writeStringField("ip", released.ip().toString());
          json.writeNumberField("unassignedAt", released.unassignedEpochNanos());
        });
  }

  private static byte[] object(Members members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(320);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("texts and numbers can be written to memory", e);
    }
    return out.toByteArray();
  }

  /** The whole content. */
  public static byte[] print(CheckpointData data) {
    Document document = new Document();
    document.allocations(data.allocations().stream().map(CheckpointJson::entry).toList());
    document.unknown(data.unknown());
    data.extension()
        .ifPresent(
            it ->
                document.extension(
                    it,
                    it.cooldown().stream().map(CheckpointJson::released).toList(),
                    it.orphans().stream().map(CheckpointJson::entry).toList()));
    return document.bytes();
  }

  /** A content that is put together from written parts, in this order. */
  public static final class Document {
    private final Buffer out = new Buffer();
    private final CRC32C checksum = new CRC32C();

    private static final class Buffer extends ByteArrayOutputStream {
      private void sum(CRC32C checksum, int from) {
        checksum.update(buf, from, count - from);
      }
    }

    /** The assignments, each from {@link #entry}. */
    public void allocations(Collection<byte[]> entries) {
      text("{\"version\":\"" + CheckpointData.VERSION + "\",\"allocations\":");
      int from = out.size();
      list(entries);
      out.sum(checksum, from);
    }

    /** Members that were read and not understood. */
    public void unknown(String members) {
      if (!members.isEmpty()) {
        text("," + members);
      }
    }

    /** The extension, which other programs ignore; its lists as written parts. */
    public void extension(
        Extension extension, Collection<byte[]> cooldown, Collection<byte[]> orphans) {
      byte[] bootId = object(json -> json.writeStringField("bootId", extension.bootId()));
      text(",\"" + EXTENSION + "\":");
      out.write(bootId, 0, bootId.length - 1);
      text(",\"generation\":" + extension.generation() + ",\"cooldown\":");
      list(cooldown);
      text(",\"orphans\":");
      list(orphans);
      text(",\"checksum\":\"" + hex(checksum) + "\"}");
    }

    /** The content, when all parts are written. */
    public byte[] bytes() {
      text("}\n");
      return out.toByteArray();
    }

    private void list(Collection<byte[]> parts) {
      out.write('[');
      boolean first = true;
      for (byte[] part : parts) {
        if (!first) {
          out.write(',');
        }
        first = false;
        out.writeBytes(part);
      }
      out.write(']');
    }

    private void text(String text) {
      out.writeBytes(text.getBytes(UTF_8));
    }
  }

  /** A checksum as it is written. */
  static String hex(CRC32C checksum) {

    return HexFormat.of().toHexDigits((int) checksum.getValue());
  }
}
