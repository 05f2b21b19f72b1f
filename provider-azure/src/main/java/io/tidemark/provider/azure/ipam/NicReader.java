package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads interfaces as Azure shows them into the cache's form. An interface of a Uniform instance
 * may show a block by one of its addresses alone; a name that was made for a block then tells that
 * it may be one, and what is known, or the instance's model, whether it is (Z30, Z31). Thread-safe.
 *
 * @param releaseForeign whether configurations of others may be released
 */
record NicReader(ConfigurationNames names, Spellings spellings, boolean releaseForeign) {
  private static final int BLOCK_LENGTH = 28;

  enum Meaning {
    /** It takes a place and serves no pod. */
    PLACE,
    SINGLE,
    BLOCK,
    /** It may be a single or a block. */
    AMBIGUOUS
  }

  /**
   * The interface in the cache's form.
   *
   * @param known the interface as it was known; empty for a new one
   * @param blocks names of configurations that the instance's model has as blocks, so that every
   *     other one is of a single; empty if the model was not read
   */
  Nic read(AzureNetworkInterface seen, Optional<Nic> known, Optional<Set<String>> blocks) {
    AddressSet.Builder singles = AddressSet.builder();
    AddressSet.Builder pinned = AddressSet.builder();
    List<Cidr> prefixes = new ArrayList<>();
    int fixed = 0;
    int incomplete = 0;
    Optional<IpAddress> primary = Optional.empty();
    for (IpConfiguration each : seen.configurations()) {
      Meaning meaning = meaning(seen, each, known);
      if (meaning == Meaning.AMBIGUOUS && blocks.isPresent()) {
        meaning = blocks.get().contains(each.name()) ? Meaning.BLOCK : Meaning.SINGLE;
      }
      if (each.primary()) {
        primary = each.range().map(Cidr::first);
      }
      if (meaning != Meaning.SINGLE && meaning != Meaning.BLOCK) {
        fixed++;
        incomplete += isIncomplete(seen, each) ? 1 : 0;
        continue;
      }
      IpAddress first = each.range().orElseThrow().first();
      Cidr range = meaning == Meaning.BLOCK ? blockOf(first) : Cidr.single(first);
      if (meaning == Meaning.BLOCK) {
        prefixes.add(range);
      } else {
        singles.add(first);
      }
      if (each.pinned() || (!releaseForeign && !names.isOurs(each.name()))) {
        AddressSet.ofRange(range).forEach(pinned::add);
      }
    }
    prefixes.sort(null);
    return new Nic(
        new InterfaceId(spellings.first(seen.id().text())),
        seen.name(),
        seen.mac(),
        seen.state(),
        seen.primary(),
        seen.securityGroup(),
        seen.subnet().map(id -> new PoolId(spellings.first(id.text()))).orElse(Nic.NO_POOL),
        primary,
        singles.build(),
        prefixes.stream().distinct().toList(),
        pinned.build(),
        fixed,
        incomplete,
        known.flatMap(Nic::publicAddress));
  }

  /** Whether a configuration's meaning can be told by the instance's model alone. */
  boolean isAmbiguous(AzureNetworkInterface seen, Optional<Nic> known) {
    return seen.configurations().stream()
        .anyMatch(each -> meaning(seen, each, known) == Meaning.AMBIGUOUS);
  }

  Meaning meaning(AzureNetworkInterface seen, IpConfiguration each, Optional<Nic> known) {
    if (each.primary() || each.ipv6() || each.range().isEmpty()) {
      return Meaning.PLACE;
    }
    if (!each.succeeded() && !isKnown(each.range().get(), known)) {
      return Meaning.PLACE;
    }
    if (each.block()) {
      return Meaning.BLOCK;
    }
    if (seen.id().uniformInstance().isEmpty() || !names.isBlock(each.name())) {
      return Meaning.SINGLE;
    }
    IpAddress address = each.range().get().first();
    if (known.filter(nic -> nic.prefixes().contains(blockOf(address))).isPresent()) {
      return Meaning.BLOCK;
    }
    return known.filter(nic -> nic.singles().contains(address)).isPresent()
        ? Meaning.SINGLE
        : Meaning.AMBIGUOUS;
  }

  /**
   * Whether pods could use it before. A write of an interface shows all its configurations as
   * updating, and as failed when it fails; what it had stays attached.
   */
  private static boolean isKnown(Cidr range, Optional<Nic> known) {
    return known
        .filter(
            nic ->
                nic.singles().contains(range.first())
                    || nic.prefixes().contains(blockOf(range.first())))
        .isPresent();
  }

  /** A configuration that a failed write of a virtual machine's interface was to add. */
  private static boolean isIncomplete(AzureNetworkInterface seen, IpConfiguration each) {
    return seen.id().uniformInstance().isEmpty()
        && seen.state().equals("failed")
        && each.isIncomplete();
  }

  static Cidr blockOf(IpAddress address) {
    return Cidr.containing(address, BLOCK_LENGTH);
  }
}
