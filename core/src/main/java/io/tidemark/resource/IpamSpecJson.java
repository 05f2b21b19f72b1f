package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Wire codec of {@code spec.ipam} without its pool (1.2, 2.8). */
final class IpamSpecJson {
  private static final String PRE_ALLOCATE = "pre-allocate";
  private static final String POOLS = "pools";
  private static final String REQUESTED = "requested";
  private static final String ALLOCATED = "allocated";
  private static final String POOL = "pool";
  private static final String CIDRS = "cidrs";

  /** The pool whose demand counts, and that takes CIDRs which no entry holds yet. */
  private static final String DEFAULT_POOL = "default";

  private IpamSpecJson() {}

  static IpamSpec read(JsonObject json) {
    JsonObject pools = json.get(POOLS).asObject();
    return new IpamSpec(
        json.get(PRE_ALLOCATE).asInt(),
        json.get("min-allocate").asInt(),
        json.get("max-allocate").asInt(),
        json.get("max-above-watermark").asInt(),
        Members.textMap(json, "static-ip-tags"),
        demand(pools.get(REQUESTED).asArray()),
        cidrs(pools.get(ALLOCATED).asArray()));
  }

  static JsonObject write(JsonObject old, IpamSpec ipam) {
    JsonObject json = writePreAllocate(old, ipam.preAllocate());
    json = set(json, "min-allocate", JsonNumber.of(ipam.minAllocate()));
    json = set(json, "max-allocate", JsonNumber.of(ipam.maxAllocate()));
    json = set(json, "max-above-watermark", JsonNumber.of(ipam.maxAboveWatermark()));
    json = set(json, "static-ip-tags", Members.objectOf(ipam.staticIpTags()));
    JsonObject before = json.get(POOLS).asObject();
    JsonObject pools = before;
    JsonArray requested = pools.get(REQUESTED).asArray();
    if (!demand(requested).equals(ipam.requested())) {
      pools = listed(pools, REQUESTED, withDemand(requested, ipam.requested()));
    }
    JsonArray allocated = pools.get(ALLOCATED).asArray();
    if (!cidrs(allocated).equals(ipam.allocatedCidrs())) {
      pools = listed(pools, ALLOCATED, withCidrs(allocated, ipam.allocatedCidrs()));
    }
    if (pools.is(before)) {
      return json;
    }
    return pools.isEmpty() ? json.without(POOLS) : json.with(POOLS, pools);
  }

  static JsonObject writePreAllocate(JsonObject old, int addresses) {
    return set(old, PRE_ALLOCATE, JsonNumber.of(addresses));
  }

  private static JsonObject set(JsonObject json, String key, JsonValue value) {
    return Members.set(CiliumNodeShapes.IPAM_SPEC, json, key, value);
  }

  private static JsonObject listed(JsonObject pools, String key, List<JsonValue> entries) {
    return entries.isEmpty() ? pools.without(key) : pools.with(key, new JsonArray(entries));
  }

  private static Optional<AddressDemand> demand(JsonArray requested) {
    for (JsonValue each : requested.elements()) {
      JsonObject entry = each.asObject();
      if (entry.get(POOL).asText().equals(DEFAULT_POOL)) {
        JsonObject needed = entry.get("needed").asObject();
        return Optional.of(
            new AddressDemand(needed.get("ipv4-addrs").asInt(), needed.get("ipv6-addrs").asInt()));
      }
    }
    return Optional.empty();
  }

  /** The requests with the default pool's first entry set, added or taken out. */
  private static List<JsonValue> withDemand(JsonArray requested, Optional<AddressDemand> demand) {
    List<JsonValue> entries = new ArrayList<>(requested.elements());
    int at = indexOfDefault(entries);
    if (demand.isEmpty()) {
      entries.removeIf(IpamSpecJson::isDefault);
      return entries;
    }
    JsonObject entry =
        at < 0 ? JsonObject.of(POOL, new JsonText(DEFAULT_POOL)) : entries.get(at).asObject();
    JsonObject needed =
        entry
            .get("needed")
            .asObject()
            .with("ipv4-addrs", JsonNumber.of(demand.get().ipv4()))
            .with("ipv6-addrs", JsonNumber.of(demand.get().ipv6()));
    return placed(entries, at, entry.with("needed", needed));
  }

  private static Set<Cidr> cidrs(JsonArray allocated) {
    Set<Cidr> cidrs = new HashSet<>();
    for (JsonValue each : allocated.elements()) {
      Members.texts(each.asObject(), CIDRS).forEach(text -> cidrs.add(Cidr.parse(text)));
    }
    return cidrs;
  }

  /** The allocations holding exactly {@code wanted}; what is new goes to the default pool. */
  private static List<JsonValue> withCidrs(JsonArray allocated, Set<Cidr> wanted) {
    Set<Cidr> missing = new TreeSet<>(wanted);
    List<JsonValue> entries = new ArrayList<>();
    for (JsonValue each : allocated.elements()) {
      JsonObject entry = each.asObject();
      List<String> kept = new ArrayList<>();
      for (String text : Members.texts(entry, CIDRS)) {
        Cidr cidr = Cidr.parse(text);
        if (wanted.contains(cidr)) {
          kept.add(text);
          missing.remove(cidr);
        }
      }
      entries.add(kept.isEmpty() ? entry.without(CIDRS) : entry.with(CIDRS, Members.arrayOf(kept)));
    }
    if (missing.isEmpty()) {
      return entries;
    }
    int at = indexOfDefault(entries);
    JsonObject entry =
        at < 0 ? JsonObject.of(POOL, new JsonText(DEFAULT_POOL)) : entries.get(at).asObject();
    List<String> all = new ArrayList<>(Members.texts(entry, CIDRS));
    missing.forEach(cidr -> all.add(cidr.toString()));
    return placed(entries, at, entry.with(CIDRS, Members.arrayOf(all)));
  }

  private static List<JsonValue> placed(List<JsonValue> entries, int at, JsonValue entry) {
    if (at < 0) {
      entries.add(entry);
    } else {
      entries.set(at, entry);
    }
    return entries;
  }

  private static int indexOfDefault(List<JsonValue> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (isDefault(entries.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isDefault(JsonValue entry) {
    return entry.asObject().get(POOL).asText().equals(DEFAULT_POOL);
  }
}
