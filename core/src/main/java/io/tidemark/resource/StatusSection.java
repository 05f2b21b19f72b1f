package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The {@code status} of one object; works as {@link SpecSection} does. */
final class StatusSection {
  private static final String IPAM = "ipam";
  private static final String USED = "used";
  private static final String RELEASE_IPS = "release-ips";
  private static final String ASSIGNED_STATIC_IP = "assigned-static-ip";
  private static final String OPERATOR_STATUS = "operator-status";
  private static final String ERROR = "error";
  private static final String ENI = "eni";
  private static final String AZURE = "azure";

  private final JsonObject json;
  private @Nullable AddressSet used;
  private @Nullable SortedMap<IpAddress, UsedAddress> usedEntries;
  private @Nullable SortedMap<IpAddress, HandshakeState> releaseIps;
  private @Nullable EniStatus eni;
  private @Nullable AzureStatus azure;
  private @Nullable Long cloudsHash;

  StatusSection(JsonObject json) {
    this.json = json;
  }

  private StatusSection(JsonObject json, StatusSection viewsOf) {
    this.json = json;
    this.used = viewsOf.used;
    this.usedEntries = viewsOf.usedEntries;
    this.releaseIps = viewsOf.releaseIps;
    this.eni = viewsOf.eni;
    this.azure = viewsOf.azure;
    this.cloudsHash = viewsOf.cloudsHash;
  }

  JsonObject json() {
    return json;
  }

  AddressSet used() {
    AddressSet view = used;
    if (view == null) {
      view = AddressEntriesJson.readAddresses(ipamJson().get(USED));
      used = view;
    }
    return view;
  }

  SortedMap<IpAddress, UsedAddress> usedEntries() {
    SortedMap<IpAddress, UsedAddress> view = usedEntries;
    if (view == null) {
      view = AddressEntriesJson.readUsed(ipamJson().get(USED));
      usedEntries = view;
    }
    return view;
  }

  SortedMap<IpAddress, HandshakeState> releaseIps() {
    SortedMap<IpAddress, HandshakeState> view = releaseIps;
    if (view == null) {
      view = readReleaseIps(ipamJson().get(RELEASE_IPS).asObject());
      releaseIps = view;
    }
    return view;
  }

  Optional<String> operatorError() {
    return Members.text(ipamJson().get(OPERATOR_STATUS).asObject(), ERROR);
  }

  StatusSection withOperatorError(String error) {
    if (error.equals(operatorError().orElse(""))) {
      return this;
    }
    JsonObject before = ipamJson().get(OPERATOR_STATUS).asObject();
    JsonObject after =
        error.isEmpty() ? before.without(ERROR) : before.with(ERROR, new JsonText(error));
    return new StatusSection(withIpam(OPERATOR_STATUS, after, false), this);
  }

  Optional<String> assignedStaticIp() {
    return Members.text(ipamJson(), ASSIGNED_STATIC_IP);
  }

  /** The section {@code eni}; without interfaces when it says nothing. */
  EniStatus eni() {
    EniStatus view = eni;
    if (view == null) {
      view = EniStatusJson.read(json.get(ENI).asObject());
      eni = view;
    }
    return view;
  }

  StatusSection withUsed(Map<IpAddress, UsedAddress> changed) {
    if (changed.equals(usedEntries())) {
      return this;
    }
    SortedMap<IpAddress, UsedAddress> view = new TreeMap<>(changed);
    StatusSection copy =
        new StatusSection(withIpam(USED, AddressTable.of(view), changed.isEmpty()), this);
    copy.used = null;
    copy.usedEntries = Collections.unmodifiableSortedMap(view);
    return copy;
  }

  StatusSection withReleaseIps(Map<IpAddress, HandshakeState> changed) {
    if (changed.equals(releaseIps())) {
      return this;
    }
    SortedMap<IpAddress, HandshakeState> view = new TreeMap<>(changed);
    JsonObject.Builder entries = JsonObject.builder();
    view.forEach((address, state) -> entries.add(address.toString(), new JsonText(state.wire())));
    StatusSection copy =
        new StatusSection(withIpam(RELEASE_IPS, entries.build(), changed.isEmpty()), this);
    copy.releaseIps = Collections.unmodifiableSortedMap(view);
    return copy;
  }

  StatusSection withAssignedStaticIp(IpAddress address) {
    JsonText text = new JsonText(address.toString());
    return ipamJson().get(ASSIGNED_STATIC_IP).equals(text)
        ? this
        : new StatusSection(withIpam(ASSIGNED_STATIC_IP, text, false), this);
  }

  StatusSection withEni(EniStatus changed) {
    if (changed.equals(eni())) {
      return this;
    }
    JsonObject section = json.get(ENI).asObject();
    JsonObject written = EniStatusJson.write(section, eni(), changed);
    if (written.is(section)) {
      return this;
    }
    StatusSection copy = new StatusSection(json.with(ENI, written), this);
    copy.eni = changed;
    copy.cloudsHash = null;
    return copy;
  }

  /** The section {@code azure}; without interfaces when it says nothing. */
  AzureStatus azure() {
    AzureStatus view = azure;
    if (view == null) {
      view = AzureStatusJson.read(json.get(AZURE).asObject());
      azure = view;
    }
    return view;
  }

  StatusSection withAzure(AzureStatus changed) {
    if (changed.equals(azure())) {
      return this;
    }
    JsonObject section = AzureStatusJson.write(json.get(AZURE).asObject(), changed);
    StatusSection copy = new StatusSection(json.with(AZURE, section), this);
    copy.azure = changed;
    copy.cloudsHash = null;
    return copy;
  }

  /** A hash of what the clouds' sections say; see {@link MeaningHash}. */
  long cloudsHash() {
    Long view = cloudsHash;
    if (view == null) {
      long hash = 1;
      for (String cloud : NodeResource.CLOUDS) {
        Shape shape = CiliumNodeShapes.STATUS.member(cloud);
        hash = 31 * hash + MeaningHash.of(shape, json.get(cloud));
      }
      view = hash;
      cloudsHash = view;
    }
    return view;
  }

  boolean sameAs(StatusSection other) {
    return this == other || Sameness.same(CiliumNodeShapes.STATUS, json, other.json);
  }

  private JsonObject ipamJson() {
    return json.get(IPAM).asObject();
  }

  private JsonObject withIpam(String key, JsonValue value, boolean absent) {
    return json.with(IPAM, absent ? ipamJson().without(key) : ipamJson().with(key, value));
  }

  private static SortedMap<IpAddress, HandshakeState> readReleaseIps(JsonObject entries) {
    SortedMap<IpAddress, HandshakeState> read = new TreeMap<>();
    for (int i = 0; i < entries.size(); i++) {
      IpAddress address = IpAddress.parse(entries.key(i));
      HandshakeState.ofWire(entries.value(i).asText()).ifPresent(state -> read.put(address, state));
    }
    return Collections.unmodifiableSortedMap(read);
  }
}
