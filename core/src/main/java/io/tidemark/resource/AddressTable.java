package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A map from IPv4 address to {@code {"owner", "resource"}}, which is what {@code spec.ipam.pool}
 * and {@code status.ipam.used} are, in a few bytes per entry instead of an object each; in the
 * order in which it was written. Only regular maps have this form: entries with other keys, or the
 * two in the other order, stay objects.
 */
final class AddressTable implements JsonValue {
  static final String OWNER = "owner";
  static final String RESOURCE = "resource";

  private final int[] addresses;

  /** Null where an entry has no such key. */
  private final @Nullable JsonText[] owners;

  /** Null where an entry has no such key. */
  private final @Nullable JsonText[] resources;

  private AddressTable(
      int[] addresses, @Nullable JsonText[] owners, @Nullable JsonText[] resources) {
    this.addresses = addresses;
    this.owners = owners;
    this.resources = resources;
  }

  /** The compact form of {@code object}; the object itself when it is not regular. */
  static JsonValue compact(JsonObject object) {
    int size = object.size();
    int[] addresses = new int[size];
    @Nullable JsonText[] owners = new @Nullable JsonText[size];
    @Nullable JsonText[] resources = new @Nullable JsonText[size];
    for (int i = 0; i < size; i++) {
      if (!(IpAddress.tryParse(object.key(i)).orElse(null) instanceof Ipv4Address address)
          || !(object.value(i) instanceof JsonObject entry)) {
        return object;
      }
      addresses[i] = address.bits();
      for (int j = 0; j < entry.size(); j++) {
        if (!(entry.value(j) instanceof JsonText text)) {
          return object;
        }
        if (entry.key(j).equals(RESOURCE)) {
          resources[i] = text;
        } else if (j == 0 && entry.key(j).equals(OWNER)) {
          owners[i] = text;
        } else {
          return object;
        }
      }
    }
    return size == 0 ? object : new AddressTable(addresses, owners, resources);
  }

  /** The pool's entries in address order. */
  static JsonValue of(PodIpPool pool) {
    AddressSet all = pool.addresses();
    int size = all.size();
    if (size == 0) {
      return JsonObject.EMPTY;
    }
    if (all.ipv4Size() < size) {
      return objectOf(pool, all);
    }
    int[] sorted = new int[size];
    int[] next = {0};
    all.forEachIpv4(bits -> sorted[next[0]++] = bits);
    @Nullable JsonText[] resources = new @Nullable JsonText[size];
    pool.byResource()
        .forEach(
            (resource, addresses) -> {
              JsonText text = new JsonText(resource);
              int[] from = {0};
              addresses.forEachIpv4(
                  bits -> {
                    int at = from[0];
                    while (sorted[at] != bits) {
                      at++;
                    }
                    from[0] = at + 1;
                    resources[at] = resource.isEmpty() ? null : text;
                  });
            });
    return new AddressTable(sorted, new @Nullable JsonText[size], resources);
  }

  /** The entries in the map's order. */
  static JsonValue of(SortedMap<IpAddress, UsedAddress> entries) {
    int size = entries.size();
    int[] addresses = new int[size];
    @Nullable JsonText[] owners = new @Nullable JsonText[size];
    @Nullable JsonText[] resources = new @Nullable JsonText[size];
    int i = 0;
    for (Map.Entry<IpAddress, UsedAddress> each : entries.entrySet()) {
      if (!(each.getKey() instanceof Ipv4Address address)) {
        return objectOf(entries);
      }
      addresses[i] = address.bits();
      owners[i] = textOf(each.getValue().owner());
      JsonText before = i == 0 ? null : resources[i - 1];
      String resource = each.getValue().resource();
      resources[i] = before != null && before.text().equals(resource) ? before : textOf(resource);
      i++;
    }
    return size == 0 ? JsonObject.EMPTY : new AddressTable(addresses, owners, resources);
  }

  private static @Nullable JsonText textOf(String text) {
    return text.isEmpty() ? null : new JsonText(text);
  }

  private static JsonObject objectOf(Map<IpAddress, UsedAddress> entries) {
    JsonObject.Builder builder = JsonObject.builder();
    entries.forEach((address, use) -> builder.add(address.toString(), entry(use)));
    return builder.build();
  }

  private static JsonObject objectOf(PodIpPool pool, AddressSet all) {
    Map<IpAddress, UsedAddress> entries = new LinkedHashMap<>();
    for (IpAddress address : all) {
      entries.put(address, new UsedAddress("", pool.resource(address).orElse("")));
    }
    return objectOf(entries);
  }

  private static JsonObject entry(UsedAddress use) {
    JsonObject entry =
        use.resource().isEmpty()
            ? JsonObject.EMPTY
            : JsonObject.of(RESOURCE, new JsonText(use.resource()));
    return use.owner().isEmpty() ? entry : entry.with(OWNER, new JsonText(use.owner()));
  }

  int size() {
    return addresses.length;
  }

  int bits(int index) {
    return addresses[index];
  }

  @Nullable JsonText owner(int index) {
    return owners[index];
  }

  @Nullable JsonText resource(int index) {
    return resources[index];
  }

  boolean hasOwners() {
    for (JsonText owner : owners) {
      if (owner != null) {
        return true;
      }
    }
    return false;
  }

  String ownerText(int index) {
    JsonText owner = owners[index];
    return owner == null ? "" : owner.text();
  }

  String resourceText(int index) {
    JsonText resource = resources[index];
    return resource == null ? "" : resource.text();
  }

  /** Whether both have the same entries, in whatever order; empty text counts as absent. */
  boolean sameAs(AddressTable other) {
    if (addresses.length != other.addresses.length) {
      return false;
    }
    AddressTable left = this;
    AddressTable right = other;
    if (!Arrays.equals(addresses, other.addresses)) {
      left = sorted();
      right = other.sorted();
      if (!Arrays.equals(left.addresses, right.addresses)) {
        return false;
      }
    }
    for (int i = 0; i < left.addresses.length; i++) {
      if (!left.ownerText(i).equals(right.ownerText(i))
          || !left.resourceText(i).equals(right.resourceText(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public JsonObject asObject() {
    JsonObject.Builder builder = JsonObject.builder();
    for (int i = 0; i < addresses.length; i++) {
      JsonObject.Builder entry = JsonObject.builder();
      JsonText owner = owners[i];
      if (owner != null) {
        entry.add(OWNER, owner);
      }
      JsonText resource = resources[i];
      if (resource != null) {
        entry.add(RESOURCE, resource);
      }
      builder.add(
          Ipv4Address.appendTo(addresses[i], new StringBuilder(15)).toString(), entry.build());
    }
    return builder.build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressTable that
        && Arrays.equals(addresses, that.addresses)
        && Arrays.equals(owners, that.owners)
        && Arrays.equals(resources, that.resources);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        Arrays.hashCode(addresses), Arrays.hashCode(owners), Arrays.hashCode(resources));
  }

  @Override
  public String toString() {
    return "AddressTable of " + addresses.length;
  }

  private AddressTable sorted() {
    int size = addresses.length;
    long[] order = new long[size];
    for (int i = 0; i < size; i++) {
      order[i] = (long) addresses[i] << 32 | i;
    }
    Arrays.sort(order);
    int[] sorted = new int[size];
    @Nullable JsonText[] sortedOwners = new @Nullable JsonText[size];
    @Nullable JsonText[] sortedResources = new @Nullable JsonText[size];
    for (int i = 0; i < size; i++) {
      int from = (int) order[i];
      sorted[i] = addresses[from];
      sortedOwners[i] = owners[from];
      sortedResources[i] = resources[from];
    }
    return new AddressTable(sorted, sortedOwners, sortedResources);
  }
}
