package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Wire codec of the two address maps, {@code spec.ipam.pool} and {@code status.ipam.used}. */
final class AddressEntriesJson {
  private AddressEntriesJson() {}

  static PodIpPool readPool(JsonValue json) {
    Map<String, AddressSet.Builder> byResource = new HashMap<>();
    SortedMap<IpAddress, String> reserved = new TreeMap<>();
    if (json instanceof AddressTable table) {
      for (int i = 0; i < table.size(); i++) {
        builderOf(byResource, table.resourceText(i)).addIpv4(table.bits(i));
        if (!table.ownerText(i).isEmpty()) {
          reserved.put(new Ipv4Address(table.bits(i)), table.ownerText(i));
        }
      }
    } else {
      JsonObject object = json.asObject();
      for (int i = 0; i < object.size(); i++) {
        JsonObject entry = object.value(i).asObject();
        IpAddress address = IpAddress.parse(object.key(i));
        builderOf(byResource, entry.get(AddressTable.RESOURCE).asText()).add(address);
        String owner = entry.get(AddressTable.OWNER).asText();
        if (!owner.isEmpty()) {
          reserved.put(address, owner);
        }
      }
    }
    Map<String, AddressSet> pool = new HashMap<>();
    byResource.forEach((resource, addresses) -> pool.put(resource, addresses.build()));
    return PodIpPool.of(pool).withReserved(reserved);
  }

  /**
   * The map with exactly the pool's entries, in address order. An entry that was there before keeps
   * its owner and what else it holds.
   */
  static JsonValue writePool(JsonValue old, PodIpPool pool) {
    JsonValue plain = AddressTable.of(pool);
    if (!(old instanceof JsonObject) && !(old instanceof AddressTable table && table.hasOwners())) {
      return plain;
    }
    JsonObject before = old.asObject();
    Map<IpAddress, JsonObject> kept = new HashMap<>();
    for (int i = 0; i < before.size(); i++) {
      kept.put(IpAddress.parse(before.key(i)), before.value(i).asObject());
    }
    JsonObject.Builder merged = JsonObject.builder();
    JsonObject after = plain.asObject();
    for (int i = 0; i < after.size(); i++) {
      JsonValue entry = after.value(i);
      JsonObject earlier = kept.get(IpAddress.parse(after.key(i)));
      if (earlier != null) {
        JsonValue resource = entry.asObject().get(AddressTable.RESOURCE);
        entry =
            resource.isNull()
                ? earlier.without(AddressTable.RESOURCE)
                : earlier.with(AddressTable.RESOURCE, resource);
      }
      merged.add(after.key(i), entry);
    }
    return AddressTable.compact(merged.build());
  }

  static AddressSet readAddresses(JsonValue json) {
    AddressSet.Builder addresses = AddressSet.builder();
    if (json instanceof AddressTable table) {
      for (int i = 0; i < table.size(); i++) {
        addresses.addIpv4(table.bits(i));
      }
    } else {
      JsonObject object = json.asObject();
      for (int i = 0; i < object.size(); i++) {
        addresses.add(IpAddress.parse(object.key(i)));
      }
    }
    return addresses.build();
  }

  /** The entries, ascending by address; unmodifiable. */
  static SortedMap<IpAddress, UsedAddress> readUsed(JsonValue json) {
    SortedMap<IpAddress, UsedAddress> used = new TreeMap<>();
    if (json instanceof AddressTable table) {
      for (int i = 0; i < table.size(); i++) {
        used.put(
            new Ipv4Address(table.bits(i)),
            new UsedAddress(table.ownerText(i), table.resourceText(i)));
      }
    } else {
      JsonObject object = json.asObject();
      for (int i = 0; i < object.size(); i++) {
        JsonObject entry = object.value(i).asObject();
        String owner = entry.get(AddressTable.OWNER).asText();
        String resource = entry.get(AddressTable.RESOURCE).asText();
        used.put(IpAddress.parse(object.key(i)), new UsedAddress(owner, resource));
      }
    }
    return Collections.unmodifiableSortedMap(used);
  }

  private static AddressSet.Builder builderOf(
      Map<String, AddressSet.Builder> byResource, String resource) {
    return byResource.computeIfAbsent(resource, any -> AddressSet.builder());
  }
}
