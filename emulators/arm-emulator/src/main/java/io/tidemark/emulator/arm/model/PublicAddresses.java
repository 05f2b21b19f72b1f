package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Public IP prefixes, the public IP addresses that are of them, and which IP configuration uses
 * which. Not thread-safe.
 */
final class PublicAddresses {
  /** Of an operation that asked for more addresses than a prefix has. */
  static final String OUT_OF_ADDRESSES = "PublicIpPrefixOutOfIpAddressesForVMScaleSet";

  private final TreeMap<ArmId, ArmPublicPrefix> prefixes = new TreeMap<>();
  private final TreeMap<ArmId, ArmPublicAddress> addresses = new TreeMap<>();
  private final Supplier<String> etags;

  PublicAddresses(Supplier<String> etags) {
    this.etags = etags;
  }

  SortedMap<ArmId, ArmPublicPrefix> prefixes() {
    return prefixes;
  }

  SortedMap<ArmId, ArmPublicAddress> addresses() {
    return addresses;
  }

  /** The prefix that a body names. */
  ArmPublicPrefix prefix(Document reference) {
    ArmId id =
        reference
            .text("id")
            .flatMap(ArmId::parse)
            .orElseThrow(() -> missingReference("properties.publicIPPrefix"));
    ArmPublicPrefix found = prefixes.get(id);
    if (found == null) {
      throw Refusal.invalid(
          "InvalidResourceReference", "Resource %s was not found; it is referenced.", id);
    }
    return found;
  }

  static Refusal missingReference(String path) {
    return new Refusal(
        ArmError.of(400, "InvalidRequestFormat", "Cannot parse the request.")
            .because("MissingJsonReferenceId", "Value for reference id is missing. Path %s", path));
  }

  // ---- interfaces of virtual machines refer to addresses that exist

  /** Refuses references to public addresses that an interface cannot use. */
  void requireUsable(ArmId nic, List<Configuration> wishes) {
    Set<ArmId> used = new HashSet<>();
    for (Configuration wish : wishes) {
      if (!wish.properties().has("publicIPAddress")) {
        continue;
      }
      ArmId id =
          wish.publicAddress()
              .orElseThrow(
                  () ->
                      missingReference(
                          "properties.ipConfigurations["
                              + wishes.indexOf(wish)
                              + "].properties.publicIPAddress."));
      @Nullable ArmPublicAddress found = addresses.get(id);
      if (found == null) {
        throw Refusal.invalid(
            "InvalidResourceReference",
            "Resource %s referenced by resource %s was not found.",
            id,
            nic);
      }
      if (found.isInWork()) {
        throw new Refusal(
            ArmError.of(429, "RetryableError", "A retryable error occurred.")
                .because(
                    "ReferencedResourceNotProvisioned",
                    "Cannot proceed with operation because resource %s is not ready.",
                    id));
      }
      ArmId mine = nic.child("ipConfigurations", wish.name());
      boolean taken = found.configuration().filter(each -> !each.equals(mine)).isPresent();
      Refusal.when(
          taken || !used.add(id),
          "PublicIPAddressInUse",
          "Resource %s is referencing public IP address %s that is in use.",
          mine,
          id);
    }
  }

  /** Notes which configuration of an interface uses which address. */
  void link(ArmId nic, List<Configuration> wishes) {
    Map<ArmId, ArmId> used = new HashMap<>();
    for (Configuration wish : wishes) {
      wish.publicAddress()
          .ifPresent(id -> used.put(id, nic.child("ipConfigurations", wish.name())));
    }
    addresses.replaceAll(
        (id, each) -> {
          Optional<ArmId> now = Optional.ofNullable(used.get(id));
          boolean mine = each.configuration().filter(at -> at.isWithin(nic.text())).isPresent();
          return (mine || now.isPresent()) && !now.equals(each.configuration())
              ? each.withConfiguration(now, etags.get())
              : each;
        });
  }

  // ---- interfaces of Uniform instances get addresses of their own

  /** Refuses a model that names no prefix, or one that there is not. */
  void requireKnown(List<Configuration> models) {
    for (Configuration model : models) {
      if (model.publicName().isPresent()) {
        prefix(model.publicPrefix());
      }
    }
  }

  /**
   * Gives an instance's interface the public addresses of its model, and takes the others back. All
   * or nothing.
   */
  void place(ArmNic nic, List<Configuration> models) {
    Map<ArmId, Configuration> wanted = new TreeMap<>();
    for (Configuration model : models) {
      model.publicAddressOn(nic.id()).ifPresent(id -> wanted.put(id, model));
    }
    List<ArmPublicAddress> made = new ArrayList<>();
    try {
      for (Map.Entry<ArmId, Configuration> each : wanted.entrySet()) {
        ArmPublicPrefix prefix = prefix(each.getValue().publicPrefix());
        @Nullable ArmPublicAddress has = addresses.get(each.getKey());
        if (has == null || !has.prefix().equals(prefix.id())) {
          made.add(taken(each.getKey(), prefix, nic, each.getValue()));
        }
      }
    } catch (Refusal refusal) {
      made.forEach(each -> release(each.id(), each.prefix()));
      throw refusal;
    }
    addresses.values().stream()
        .filter(each -> each.id().isWithin(nic.id().text()) && !wanted.containsKey(each.id()))
        .toList()
        .forEach(this::remove);
    for (ArmPublicAddress each : made) {
      @Nullable ArmPublicAddress before = addresses.put(each.id(), each);
      if (before != null) {
        release(before.id(), before.prefix());
      }
    }
  }

  private ArmPublicAddress taken(
      ArmId id, ArmPublicPrefix prefix, ArmNic nic, Configuration model) {
    IpAddress address =
        prefix
            .take(id)
            .orElseThrow(() -> Refusal.invalid(OUT_OF_ADDRESSES, prefix.outOfAddresses()));
    return new ArmPublicAddress(
        id,
        Document.of("sku", Document.of("name", "Standard").with("tier", "Regional"))
            .withProperty("publicIPAddressVersion", prefix.version()),
        prefix.id(),
        address,
        Optional.of(nic.id().child("ipConfigurations", model.name())),
        etags.get(),
        "Succeeded");
  }

  private void release(ArmId id, ArmId prefix) {
    @Nullable ArmPublicPrefix of = prefixes.get(prefix);
    if (of != null) {
      of.release(id);
    }
  }

  /** Changes the provisioning state of an address, if it is still there. */
  void become(ArmId id, String state) {
    addresses.computeIfPresent(id, (same, each) -> each.withProvisioningState(state, etags.get()));
  }

  /** Removes an address and frees it for others of its prefix. */
  void remove(ArmPublicAddress each) {
    addresses.remove(each.id());
    release(each.id(), each.prefix());
  }

  /** The interface and its machine are gone: so is what belongs to them. */
  void removed(ArmId nic) {
    for (ArmPublicAddress each : List.copyOf(addresses.values())) {
      boolean mine = each.configuration().filter(at -> at.isWithin(nic.text())).isPresent();
      if (mine && (each.id().isWithin(nic.text()) || each.isDeletedWithMachine())) {
        remove(each);
      }
    }
  }
}
