package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Wire codec of {@code spec.ipam.pools} (allocators 1). */
final class PodPoolsJson {
  private static final String REQUESTED = "requested";
  private static final String ALLOCATED = "allocated";
  private static final String POOL = "pool";
  private static final String NEEDED = "needed";
  private static final String IPV4 = "ipv4-addrs";
  private static final String IPV6 = "ipv6-addrs";
  private static final String CIDRS = "cidrs";
  private static final String ALLOW_FIRST = "allowFirstIP";
  private static final String ALLOW_LAST = "allowLastIP";

  private PodPoolsJson() {}

  static PodPools read(JsonObject pools) {
    if (pools.isEmpty()) {
      return PodPools.NONE;
    }
    SortedMap<String, AddressDemand> requested = new TreeMap<>();
    for (JsonValue each : pools.get(REQUESTED).asArray().elements()) {
      requested.putIfAbsent(name(each), demand(each.asObject()));
    }
    SortedMap<String, PoolCidrs> allocated = new TreeMap<>();
    for (JsonValue each : pools.get(ALLOCATED).asArray().elements()) {
      allocated.merge(name(each), cidrs(each.asObject()), PodPoolsJson::union);
    }
    return new PodPools(requested, allocated);
  }

  /**
   * {@code old} with these requests and blocks, ascending by pool. An entry that stays keeps its
   * unknown fields; of several for one pool the first stays.
   */
  static JsonObject write(JsonObject old, PodPools pools) {
    PodPools before = read(old);
    JsonObject written = old;
    if (!before.requested().equals(pools.requested())) {
      Map<String, JsonObject> entries = entries(old.get(REQUESTED));
      List<JsonValue> list = new ArrayList<>();
      pools
          .requested()
          .forEach(
              (pool, demand) -> {
                JsonObject entry = entry(entries, pool);
                boolean same = demand.equals(before.requested().get(pool));
                list.add(same ? entry : withDemand(entry, demand));
              });
      written = listed(written, REQUESTED, list);
    }
    if (!before.allocated().equals(pools.allocated())) {
      Map<String, JsonObject> entries = entries(old.get(ALLOCATED));
      List<JsonValue> list = new ArrayList<>();
      pools.allocated().forEach((pool, cidrs) -> list.add(withCidrs(entry(entries, pool), cidrs)));
      written = listed(written, ALLOCATED, list);
    }
    return written;
  }

  private static String name(JsonValue entry) {
    return entry.asObject().get(POOL).asText();
  }

  private static Map<String, JsonObject> entries(JsonValue list) {
    Map<String, JsonObject> entries = new LinkedHashMap<>();
    list.asArray().elements().forEach(each -> entries.putIfAbsent(name(each), each.asObject()));
    return entries;
  }

  private static JsonObject entry(Map<String, JsonObject> entries, String pool) {
    JsonObject found = entries.get(pool);
    return found == null ? JsonObject.of(POOL, new JsonText(pool)) : found;
  }

  private static JsonObject listed(JsonObject pools, String key, List<JsonValue> entries) {
    return entries.isEmpty() ? pools.without(key) : pools.with(key, new JsonArray(entries));
  }

  private static AddressDemand demand(JsonObject entry) {
    JsonObject needed = entry.get(NEEDED).asObject();
    return new AddressDemand(needed.get(IPV4).asInt(), needed.get(IPV6).asInt());
  }

  private static JsonObject withDemand(JsonObject entry, AddressDemand demand) {
    return entry.with(
        NEEDED,
        entry
            .get(NEEDED)
            .asObject()
            .with(IPV4, JsonNumber.of(demand.ipv4()))
            .with(IPV6, JsonNumber.of(demand.ipv6())));
  }

  private static PoolCidrs cidrs(JsonObject entry) {
    Set<Cidr> cidrs = new LinkedHashSet<>();
    Members.texts(entry, CIDRS).forEach(text -> cidrs.add(Cidr.parse(text)));
    return new PoolCidrs(List.copyOf(cidrs), flag(entry, ALLOW_FIRST), flag(entry, ALLOW_LAST));
  }

  private static boolean flag(JsonObject entry, String key) {
    return Members.flag(entry, key).orElse(false);
  }

  private static PoolCidrs union(PoolCidrs first, PoolCidrs second) {
    Set<Cidr> all = new LinkedHashSet<>(first.cidrs());
    all.addAll(second.cidrs());
    return first.with(List.copyOf(all));
  }

  private static JsonObject withCidrs(JsonObject entry, PoolCidrs cidrs) {
    JsonObject written = withFlag(entry, ALLOW_FIRST, cidrs.allowFirst());
    written = withFlag(written, ALLOW_LAST, cidrs.allowLast());
    if (cidrs(entry).cidrs().equals(cidrs.cidrs())) {
      return written;
    }
    return cidrs.cidrs().isEmpty()
        ? written.without(CIDRS)
        : written.with(CIDRS, Members.arrayOf(cidrs.cidrs()));
  }

  private static JsonObject withFlag(JsonObject entry, String key, boolean allowed) {
    return flag(entry, key) == allowed ? entry : entry.with(key, JsonBoolean.of(allowed));
  }
}
