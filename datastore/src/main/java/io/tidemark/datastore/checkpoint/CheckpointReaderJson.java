package io.tidemark.datastore.checkpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.CheckpointEntry.UnknownMembers;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a checkpoint of any program that writes the format, as the AWS VPC CNI reads it: names of
 * members without regard to case, null as the empty value, of a member that comes twice the last
 * one, nothing behind the document. What it reads is whole or refused.
 */
final class CheckpointReaderJson {
  private final byte[] bytes;
  private final JsonParser json;
  private String version = "";
  private List<CheckpointEntry> allocations = List.of();
  private @Nullable Extension extension;
  private String checksumWritten = "";
  private int allocationsFrom;
  private int allocationsTo;

  /** What is done with a member, at its value. */
  private interface Member {
    /** Whether the name is known, and then its value was read. */
    boolean read(String lowerCaseName) throws IOException, UnreadableCheckpoint;
  }

  private interface Item<T> {
    T read() throws IOException, UnreadableCheckpoint;
  }

  private CheckpointReaderJson(byte[] bytes, JsonParser json) {
    this.bytes = bytes;
    this.json = json;
  }

  static CheckpointData read(byte[] bytes) throws UnreadableCheckpoint {
    try (JsonParser json = CheckpointJson.FACTORY.createParser(bytes)) {
      return new CheckpointReaderJson(bytes, json).document();
    } catch (JsonProcessingException e) {
      throw corrupt(e.getLocation(), e.getOriginalMessage());
    } catch (IOException e) {
      throw new UnreadableCheckpoint(Kind.CORRUPT, "it cannot be read: " + e.getMessage());
    }
  }

  private CheckpointData document() throws IOException, UnreadableCheckpoint {
    if (json.nextToken() == null) {
      throw refused("the file is empty");
    }
    String unknown = members(this::ofDocument);
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
    return new CheckpointData(allocations, Optional.ofNullable(extension), unknown);
  }

  private boolean ofDocument(String name) throws IOException, UnreadableCheckpoint {
    switch (name) {
      case "version" -> version = text();
      case "allocations" -> {
        allocationsFrom = offset();
        allocations = list(this::entry);
        allocationsTo = offset() + 1;
      }
      case CheckpointJson.EXTENSION -> extension = extension();
      default -> {
        return false;
      }
    }
    return true;
  }

  private CheckpointEntry entry() throws IOException, UnreadableCheckpoint {
    JsonLocation at = json.currentTokenLocation();
    EntryParts parts = new EntryParts();
    String unknown = members(parts);
    if (parts.ipv4.isEmpty() && parts.ipv6.isEmpty()) {
      throw corrupt(at, "an assignment has neither ipv4 nor ipv6");
    }
    IpamKey key = new IpamKey(parts.network, parts.container, parts.iface);
    if (key.isEmpty()) {
      throw corrupt(at, "an assignment has neither network, container nor interface");
    }
    return new CheckpointEntry(
        key,
        parts.ipv4,
        parts.ipv6,
        parts.epochNanos,
        parts.metadata,
        new UnknownMembers(unknown, parts.unknownOfMetadata));
  }

  private final class EntryParts implements Member {
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
        case "networkname" -> network = text();
        case "containerid" -> container = text();
        case "ifname" -> iface = text();
        case "ipv4" -> ipv4 = address(IpFamily.IPV4);
        case "ipv6" -> ipv6 = address(IpFamily.IPV6);
        case "allocationtimestamp" -> epochNanos = number();
        case "metadata" -> unknownOfMetadata = members(this::ofMetadata);
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
        case "k8spodnamespace" -> namespace = text();
        case "k8spodname" -> pod = text();
        case "interfacescount" -> interfaces = count();
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
    String unused = members(parts);
    checksumWritten = parts.checksum;
    return new Extension(parts.bootId, parts.generation, parts.cooldown, parts.orphans);
  }

  private final class ExtensionParts implements Member {
    private String bootId = "";
    private long generation;
    private List<Released> cooldown = List.of();
    private List<CheckpointEntry> orphans = List.of();
    private String checksum = "";

    @Override
    public boolean read(String name) throws IOException, UnreadableCheckpoint {
      switch (name) {
        case "bootid" -> bootId = text();
        case "generation" -> generation = number();
        case "cooldown" -> cooldown = list(new ReleasedParts());
        case "orphans" -> orphans = list(CheckpointReaderJson.this::entry);
        case "checksum" -> checksum = text();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  private final class ReleasedParts implements Item<Released>, Member {
    private Optional<IpAddress> ip = Optional.empty();
    private long at;

    @Override
    public Released read() throws IOException, UnreadableCheckpoint {
      JsonLocation start = json.currentTokenLocation();
      ip = Optional.empty();
      at = 0;
      String unused = members(this);
      IpAddress address =
          ip.orElseThrow(() -> corrupt(start, "a released address has no member ip"));
      return new Released(address, at);
    }

    @Override
    public boolean read(String name) throws IOException, UnreadableCheckpoint {
      switch (name) {
        case "ip" -> ip = address(null);
        case "unassignedat" -> at = number();
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  // ---- values: the parser stands on the first token of one, and afterwards on its last

  /** Hands over each member; those that are not known as text. */
  private String members(Member member) throws IOException, UnreadableCheckpoint {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return "";
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw refused("expected an object, found " + found());
    }
    StringWriter unknown = new StringWriter();
    try (JsonGenerator copy = CheckpointJson.FACTORY.createGenerator(unknown)) {
      copy.writeStartObject();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        if (!member.read(name.toLowerCase(Locale.ROOT))) {
          copy.writeFieldName(name);
          copy.copyCurrentStructureExact(json);
        }
      }
      copy.writeEndObject();
    }
    return unknown.toString().substring(1, unknown.getBuffer().length() - 1);
  }

  private <T> List<T> list(Item<T> item) throws IOException, UnreadableCheckpoint {
    List<T> all = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return all;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw refused("expected a list, found " + found());
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      all.add(item.read());
    }
    return all;
  }

  private String text() throws IOException, UnreadableCheckpoint {
    return switch (json.currentToken()) {
      case VALUE_NULL -> "";
      case VALUE_STRING -> json.getText();
      default -> throw refused("expected a text, found " + found());
    };
  }

  private long number() throws IOException, UnreadableCheckpoint {
    return switch (json.currentToken()) {
      case VALUE_NULL -> 0;
      case VALUE_NUMBER_INT -> json.getLongValue();
      default -> throw refused("expected a whole number, found " + found());
    };
  }

  private int count() throws IOException, UnreadableCheckpoint {
    long number = number();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw refused(number + " is no count");
    }
    return (int) number;
  }

  private Optional<IpAddress> address(@Nullable IpFamily family)
      throws IOException, UnreadableCheckpoint {
    String text = text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<IpAddress> address =
        IpAddress.tryParse(text).filter(each -> family == null || each.family() == family);
    if (address.isEmpty()) {
      throw refused("'" + text + "' is no " + (family == null ? "" : family + " ") + "address");
    }
    return address;
  }

  private int offset() {
    return (int) json.currentTokenLocation().getByteOffset();
  }

  private String found() throws IOException {
    return json.currentToken() == JsonToken.FIELD_NAME ? "a name" : json.getText();
  }

  private UnreadableCheckpoint refused(String why) {
    return corrupt(json.currentTokenLocation(), why);
  }

  private static UnreadableCheckpoint corrupt(@Nullable JsonLocation at, String why) {
    String where =
        at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
    return new UnreadableCheckpoint(Kind.CORRUPT, where + why);
  }
}
