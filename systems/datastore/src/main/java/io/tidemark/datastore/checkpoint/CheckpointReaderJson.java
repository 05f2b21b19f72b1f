package io.tidemark.datastore.checkpoint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry.UnknownMembers;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a checkpoint of any program that writes the format, as the AWS VPC CNI reads it: names of
 * members without regard to case, null as the empty value, of a member that comes twice the last
 * one, nothing behind the document. What it reads is whole or refused.
 */
public final class CheckpointReaderJson {
  private final byte[] bytes;
  private final LenientJson json;
  private String version = "";
  private List<CheckpointEntry> allocations = List.of();
  private @Nullable Extension extension;
  private String checksumWritten = "";
  private int allocationsFrom;
  private int allocationsTo;

  private CheckpointReaderJson(byte[] bytes, LenientJson json) {
    this.bytes = bytes;
    this.json = json;
  }

  /**
   * The content of a file.
   *
   * @param checksummed whether it has a checksum, which is then right
   */
  public record Content(CheckpointData data, boolean checksummed) {}

  /** The content of a file, without the way in which it is known to be undamaged. */
  public static CheckpointData read(byte[] bytes) throws UnreadableCheckpoint {
    return content(bytes).data();
  }

  /** The content of a file. */
  public static Content content(byte[] bytes) throws UnreadableCheckpoint {
    try (JsonParser json = CheckpointJson.FACTORY.createParser(bytes)) {
      return new CheckpointReaderJson(bytes, new LenientJson(json)).document();
    } catch (JsonProcessingException e) {
      throw LenientJson.corrupt(e.getLocation(), e.getOriginalMessage());
    } catch (IOException e) {
      throw new UnreadableCheckpoint(Kind.CORRUPT, "it cannot be read: " + e.getMessage());
    }
  }

  private Content document() throws IOException, UnreadableCheckpoint {
    if (!json.start()) {
      throw json.refused("the file is empty");
    }
    String unknown = json.members(this::ofDocument);
    if (!version.equals(CheckpointData.VERSION)) {
      throw new UnreadableCheckpoint(
          Kind.VERSION,
          "its version is '" + version + "'; expected '" + CheckpointData.VERSION + "'");
    }
    if (!checksumWritten.isEmpty()) {
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, allocationsFrom, allocationsTo - allocationsFrom);
      String found = CheckpointJson.hex(checksum);
      if (!found.equals(checksumWritten)) {
        throw new UnreadableCheckpoint(
            Kind.CORRUPT,
            "the allocations, bytes "
                + allocationsFrom
                + " to "
                + allocationsTo
                + ", have the checksum "
                + found
                + "; expected '"
                + checksumWritten
                + "'");
      }
    }
    return new Content(
        new CheckpointData(allocations, Optional.ofNullable(extension), unknown),
        !checksumWritten.isEmpty());
  }

  private boolean ofDocument(String name) throws IOException, UnreadableCheckpoint {
    switch (name) {
      case "version" -> version = json.text();
      case "allocations" -> {
        allocationsFrom = json.offset();
        allocations = json.list(this::entry);
        allocationsTo = json.offset() + 1;
      }
      case CheckpointJson.EXTENSION -> extension = extension();
      default -> {
        return false;
      }
    }
    return true;
  }

  private CheckpointEntry entry() throws IOException, UnreadableCheckpoint {
    JsonLocation at = json.location();
    EntryParts parts = new EntryParts();
    String unknown = json.members(parts);
    if (parts.ipv4.isEmpty() && parts.ipv6.isEmpty()) {
      throw LenientJson.corrupt(at, "an assignment has neither ipv4 nor ipv6");
    }
    IpamKey key = new IpamKey(parts.network, parts.container, parts.iface);
    if (key.isEmpty()) {
      throw LenientJson.corrupt(at, "an assignment has neither network, container nor interface");
    }
    return new CheckpointEntry(
        key,
        parts.ipv4,
        parts.ipv6,
        parts.epochNanos,
        parts.metadata,
        new UnknownMembers(unknown, parts.unknownOfMetadata));
  }

  private final class EntryParts implements LenientJson.Member {
    private String network = "";
    private String container = "";
    private String iface = "";
    private Optional<IpAddress> ipv4 = Optional.empty();
    private Optional<IpAddress> ipv6 = Optional.empty();
    private long epochNanos;
    private IpamMetadata metadata = IpamMetadata.NONE;
    private String unknownOfMetadata = "";

    @Override
    public boolean read(String name) throws IOException, UnreadableCheckpoint {
      switch (name) {
        case "networkname" -> network = json.text();
        case "containerid" -> container = json.text();
        case "ifname" -> iface = json.text();
        case "ipv4" -> ipv4 = json.address(IpFamily.IPV4);
        case "ipv6" -> ipv6 = json.address(IpFamily.IPV6);
        case "allocationtimestamp" -> epochNanos = json.number();
        case "metadata" -> unknownOfMetadata = json.members(this::ofMetadata);
        default -> {
          return false;
        }
      }
      return true;
    }

    private boolean ofMetadata(String name) throws IOException, UnreadableCheckpoint {
      String namespace = metadata.podNamespace();
      String pod = metadata.podName();
      int interfaces = metadata.interfacesCount();
      switch (name) {
        case "k8spodnamespace" -> namespace = json.text();
        case "k8spodname" -> pod = json.text();
        case "interfacescount" -> interfaces = json.count();
        default -> {
          return false;
        }
      }
      metadata = new IpamMetadata(namespace, pod, interfaces);
      return true;
    }
  }

  private Extension extension() throws IOException, UnreadableCheckpoint {
    ExtensionParts parts = new ExtensionParts();
    json.members(parts);
    checksumWritten = parts.checksum;
    return new Extension(parts.bootId, parts.generation, parts.cooldown, parts.orphans);
  }

  private final class ExtensionParts implements LenientJson.Member {
    private String bootId = "";
    private long generation;
    private List<Released> cooldown = List.of();
    private List<CheckpointEntry> orphans = List.of();
    private String checksum = "";

    @Override
    public boolean read(String name) throws IOException, UnreadableCheckpoint {
      switch (name) {
        case "bootid" -> bootId = json.text();
        case "generation" -> generation = json.number();
        case "cooldown" -> cooldown = json.list(new ReleasedParts());
        case "orphans" -> orphans = json.list(CheckpointReaderJson.this::entry);
        case "checksum" -> checksum = json.text();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  private final class ReleasedParts implements LenientJson.Item<Released>, LenientJson.Member {
    private Optional<IpAddress> ip = Optional.empty();
    private long at;

    @Override
    public Released read() throws IOException, UnreadableCheckpoint {
      JsonLocation start = json.location();
      ip = Optional.empty();
      at = 0;
      json.members(this);
      IpAddress address =
          ip.orElseThrow(() -> LenientJson.corrupt(start, "a released address has no member ip"));
      return new Released(address, at);
    }

    @Override
    public boolean read(String name) throws IOException, UnreadableCheckpoint {
      switch (name) {
        case "ip" -> ip = json.address(null);
        case "unassignedat" -> at = json.number();
        default -> {
          return false;
        }
      }
      return true;
    }
  }
}
