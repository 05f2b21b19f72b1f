package io.tidemark.daemon.ipamd;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.daemon.DaemonError;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreRefusal;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * A file that lists the interfaces of a node: {@code {"interfaces": [{"id": "eni-1", "device": 0,
 * "subnet": "subnet-1", "addresses": ["10.0.0.5"], "prefixes": ["10.0.0.16/28"]}]}}. Device 0 is
 * the primary interface. Prefixes can be IPv6 prefixes, such as {@code "2001:db8::/80"}.
 */
public final class IpamdInterfacesJson {
  private static final long BYTES_MAX = 1 << 20;
  private static final Set<String> MEMBERS =
      Set.of("id", "device", "subnet", "addresses", "prefixes");

  private final Path file;

  private IpamdInterfacesJson(Path file) {
    this.file = file;
  }

  /**
   * Adds the interfaces of the file to a store. Blocks on the file system.
   *
   * @throws IpamException with {@code INTERFACES_UNREADABLE}
   */
  public static void addTo(DataStore store, Path file) {
    new IpamdInterfacesJson(file).addTo(store);
  }

  private void addTo(DataStore store) {
    JsonNode interfaces = read().path("interfaces");
    if (!interfaces.isArray() || interfaces.isEmpty()) {
      throw refused("interfaces is missing or empty; expected a list of interfaces");
    }
    for (int i = 0; i < interfaces.size(); i++) {
      add(store, interfaces.get(i), "interfaces[" + i + "]");
    }
  }

  private JsonNode read() {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw refused("it has more than " + BYTES_MAX + " bytes");
      }
      return new ObjectMapper().readTree(Files.readAllBytes(file));
    } catch (JacksonException e) {
      throw refused("it is not valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw refused("it cannot be read: " + FileErrorText.of(e));
    }
  }

  private void add(DataStore store, JsonNode each, String place) {
    for (Iterator<String> names = each.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!MEMBERS.contains(name)) {
        throw refused(place + "." + name + " is not known");
      }
    }
    String id = each.path("id").asText("");
    JsonNode device = each.path("device");
    if (id.isEmpty() || !device.isInt() || device.asInt() < 0) {
      throw refused(place + " needs an id and a device number, 0 or more");
    }
    int number = device.asInt();
    check(
        store.addEni(
            new StoreEniSpec(
                id,
                number,
                number == 0,
                false,
                false,
                StoreEniSpec.routeTable(0, number),
                each.path("subnet").asText(""))));
    for (JsonNode address : each.path("addresses")) {
      add(store, id, address.asText(), CidrKind.SECONDARY);
    }
    for (JsonNode prefix : each.path("prefixes")) {
      add(store, id, prefix.asText(), CidrKind.PREFIX);
    }
  }

  private void add(DataStore store, String eni, String text, CidrKind kind) {
    Cidr cidr;
    try {
      cidr = kind == CidrKind.SECONDARY ? Cidr.single(IpAddress.parse(text)) : Cidr.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused("'" + text + "' of " + eni + ": " + e.getMessage());
    }
    if (kind == CidrKind.SECONDARY && cidr.family() == IpFamily.IPV6) {
      throw refused(
          "'" + text + "' of " + eni + ": IPv6 addresses are assigned from prefixes alone");
    }
    check(store.addCidr(eni, cidr, kind));
  }

  private void check(Optional<StoreRefusal> refusal) {
    refusal.ifPresent(
        why -> {
          throw refused(why.message());
        });
  }

  private IpamException refused(String why) {
    return new IpamException(DaemonError.INTERFACES_UNREADABLE, file + ": " + why);
  }
}
