package io.tidemark.resource;

import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code spec} of one object: the document and, once asked for, its views. Immutable; a changed
 * copy takes over the views that the change does not touch. Views are made without a lock: two
 * threads may make the same view, and either is right.
 */
final class SpecSection {
  private static final String INSTANCE_ID = "instance-id";
  private static final String IPAM = "ipam";
  private static final String POOL = "pool";
  private static final String POOLS = "pools";
  private static final String POD_CIDRS = "podCIDRs";
  private static final String ENI = "eni";

  private final JsonObject json;
  private @Nullable IpamSpec ipam;
  private @Nullable PodIpPool pool;
  private @Nullable EniSpec eni;
  private @Nullable String instanceId;

  SpecSection(JsonObject json) {
    this(json, null, null, null);
  }

  private SpecSection(
      JsonObject json, @Nullable IpamSpec ipam, @Nullable PodIpPool pool, @Nullable EniSpec eni) {
    this.json = json;
    this.ipam = ipam;
    this.pool = pool;
    this.eni = eni;
  }

  JsonObject json() {
    return json;
  }

  Optional<String> instanceId() {
    String view = instanceId;
    if (view == null) {
      String text = json.get(INSTANCE_ID).asText();
      view = text.isBlank() ? json.get(ENI).asObject().get(INSTANCE_ID).asText() : text;
      instanceId = view;
    }
    return view.isBlank() ? Optional.empty() : Optional.of(view);
  }

  IpamSpec ipam() {
    IpamSpec view = ipam;
    if (view == null) {
      view = IpamSpecJson.read(ipamJson());
      ipam = view;
    }
    return view;
  }

  /** The addresses that it names, with who has each. Others write them, and are not checked. */
  SortedMap<IpAddress, String> addresses() {
    SortedMap<IpAddress, String> all = new TreeMap<>();
    for (String owner : List.of("health", "ingress")) {
      JsonObject own = json.get(owner).asObject();
      add(all, own.get("ipv4").asText(), owner);
      add(all, own.get("ipv6").asText(), owner);
    }
    for (JsonValue each : json.get("addresses").asArray().elements()) {
      boolean router = each.asObject().get("type").asText().equals("CiliumInternalIP");
      add(all, each.asObject().get("ip").asText(), router ? "router" : NodeAddresses.NODE);
    }
    return all;
  }

  private static void add(SortedMap<IpAddress, String> all, String text, String owner) {
    IpAddress.tryParse(text).ifPresent(ip -> all.put(ip.unmapped(), owner));
  }

  PodPools pools() {
    return PodPoolsJson.read(ipamJson().get(POOLS).asObject());
  }

  List<String> podCidrs() {
    return Members.texts(ipamJson(), POD_CIDRS);
  }

  PodIpPool pool() {
    PodIpPool view = pool;
    if (view == null) {
      view = AddressEntriesJson.readPool(ipamJson().get(POOL));
      pool = view;
    }
    return view;
  }

  /** The section {@code eni}; {@link EniSpec#EMPTY} when it says nothing. */
  EniSpec eni() {
    EniSpec view = eni;
    if (view == null) {
      view = EniSpecJson.read(json.get(ENI).asObject());
      eni = view;
    }
    return view;
  }

  SpecSection withPool(PodIpPool wanted) {
    PodIpPool changed = wanted.withReserved(pool().reserved());
    if (changed.equals(pool())) {
      return this;
    }
    JsonValue entries = AddressEntriesJson.writePool(ipamJson().get(POOL), changed);
    return new SpecSection(json.with(IPAM, ipamJson().with(POOL, entries)), ipam, changed, eni);
  }

  SpecSection withPreAllocate(int addresses) {
    JsonObject changed = IpamSpecJson.writePreAllocate(ipamJson(), addresses);
    return changed.is(ipamJson()) ? this : withIpamJson(changed, null);
  }

  SpecSection withIpam(IpamSpec changed) {
    return changed.equals(ipam())
        ? this
        : withIpamJson(IpamSpecJson.write(ipamJson(), changed), changed);
  }

  SpecSection withPools(PodPools changed) {
    JsonObject written = IpamSpecJson.writePools(ipamJson(), changed);
    return written.is(ipamJson()) ? this : withIpamJson(written, null);
  }

  SpecSection withPodCidrs(List<String> cidrs) {
    JsonObject changed =
        Members.set(CiliumNodeShapes.IPAM_SPEC, ipamJson(), POD_CIDRS, Members.arrayOf(cidrs));
    return changed.is(ipamJson()) ? this : withIpamJson(changed, ipam);
  }

  SpecSection withInstanceId(String instanceId) {
    return replaced(
        Members.set(CiliumNodeShapes.SPEC, json, INSTANCE_ID, new JsonText(instanceId)), eni);
  }

  SpecSection withEni(EniSpec changed) {
    return changed.equals(eni())
        ? this
        : replaced(json.with(ENI, EniSpecJson.write(json.get(ENI).asObject(), changed)), changed);
  }

  boolean sameAs(SpecSection other) {
    return this == other || Sameness.same(CiliumNodeShapes.SPEC, json, other.json);
  }

  private JsonObject ipamJson() {
    return json.get(IPAM).asObject();
  }

  private SpecSection withIpamJson(JsonObject changed, @Nullable IpamSpec view) {
    return new SpecSection(json.with(IPAM, changed), view, pool, eni);
  }

  private SpecSection replaced(JsonObject changed, @Nullable EniSpec view) {
    return changed.is(json) ? this : new SpecSection(changed, ipam, pool, view);
  }
}
