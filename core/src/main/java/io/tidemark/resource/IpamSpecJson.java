package io.tidemark.resource;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.PodPools.PoolCidrs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Wire codec of {@code spec.ipam} without its pool (1.2, 2.8). */
final class IpamSpecJson {
  private static final String PRE_ALLOCATE = "pre-allocate";
  private static final String POOLS = "pools";

  /** The pool whose demand counts, and that takes CIDRs which no entry holds yet. */
  private static final String DEFAULT_POOL = "default";

  private IpamSpecJson() {}

  static IpamSpec read(JsonObject json) {
    PodPools pools = PodPoolsJson.read(json.get(POOLS).asObject());
    return new IpamSpec(
        json.get(PRE_ALLOCATE).asInt(),
        json.get("min-allocate").asInt(),
        json.get("max-allocate").asInt(),
        json.get("max-above-watermark").asInt(),
        Members.textMap(json, "static-ip-tags"),
        Optional.ofNullable(pools.requested().get(DEFAULT_POOL)),
        cidrs(pools));
  }

  static JsonObject write(JsonObject old, IpamSpec ipam) {
    JsonObject json = writePreAllocate(old, ipam.preAllocate());
    json = set(json, "min-allocate", JsonNumber.of(ipam.minAllocate()));
    json = set(json, "max-allocate", JsonNumber.of(ipam.maxAllocate()));
    json = set(json, "max-above-watermark", JsonNumber.of(ipam.maxAboveWatermark()));
    json = set(json, "static-ip-tags", Members.objectOf(ipam.staticIpTags()));
    return writePools(json, withAgentsPart(PodPoolsJson.read(json.get(POOLS).asObject()), ipam));
  }

  static JsonObject writePreAllocate(JsonObject old, int addresses) {
    return set(old, PRE_ALLOCATE, JsonNumber.of(addresses));
  }

  static JsonObject writePools(JsonObject old, PodPools changed) {
    JsonObject before = old.get(POOLS).asObject();
    JsonObject pools = PodPoolsJson.write(before, changed);
    if (pools.is(before)) {
      return old;
    }
    return pools.isEmpty() ? old.without(POOLS) : old.with(POOLS, pools);
  }

  private static JsonObject set(JsonObject json, String key, JsonValue value) {
    return Members.set(CiliumNodeShapes.IPAM_SPEC, json, key, value);
  }

  private static Set<Cidr> cidrs(PodPools pools) {
    Set<Cidr> cidrs = new HashSet<>();
    pools.allocated().values().forEach(each -> cidrs.addAll(each.cidrs()));
    return cidrs;
  }

  /** The pools with the demand and exactly the CIDRs of {@code ipam}. */
  private static PodPools withAgentsPart(PodPools pools, IpamSpec ipam) {
    SortedMap<String, AddressDemand> requested = new TreeMap<>(pools.requested());
    requested.remove(DEFAULT_POOL);
    ipam.requested().ifPresent(demand -> requested.put(DEFAULT_POOL, demand));
    Set<Cidr> missing = new TreeSet<>(ipam.allocatedCidrs());
    missing.removeAll(cidrs(pools));
    SortedMap<String, PoolCidrs> allocated = new TreeMap<>(pools.allocated());
    allocated.replaceAll((pool, held) -> held.with(kept(held, ipam.allocatedCidrs())));
    if (!missing.isEmpty()) {
      PoolCidrs held = allocated.getOrDefault(DEFAULT_POOL, PoolCidrs.of());
      List<Cidr> all = new ArrayList<>(held.cidrs());
      all.addAll(missing);
      allocated.put(DEFAULT_POOL, held.with(all));
    }
    return new PodPools(requested, allocated);
  }

  private static List<Cidr> kept(PoolCidrs held, Set<Cidr> wanted) {
    return held.cidrs().stream().filter(wanted::contains).toList();
  }
}
