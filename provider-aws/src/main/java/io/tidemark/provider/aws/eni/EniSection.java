package io.tidemark.provider.aws.eni;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.Subnet;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.provider.kit.InstanceView;
import io.tidemark.resource.EniStatus;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The status section an agent in ENI mode reads (provider-aws 3.7, M8): every attached interface
 * that we manage, with every address that pods may have, those of prefixes spelled out. Pure.
 */
final class EniSection {
  private static final EniStatus EMPTY = new EniStatus(Collections.emptySortedMap());

  private EniSection() {}

  /**
   * What a section was made of, and the section for as long as a resource holds it.
   *
   * @param section weak, for the node need not know it
   */
  record Made(
      InstanceView<Eni> view,
      boolean primaryUsable,
      Networks networks,
      WeakReference<EniStatus> section) {
    static final Made NONE =
        new Made(
            new InstanceView<Eni>(0, List.of(), false),
            false,
            Networks.NONE,
            new WeakReference<>(null));

    /** Whether these would make the same section again; their parts are not compared. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(InstanceView<Eni> otherView, boolean otherPrimaryUsable, Networks otherNetworks) {
      return view == otherView && isOf(otherPrimaryUsable, otherNetworks);
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isOf(boolean otherPrimaryUsable, Networks otherNetworks) {
      return primaryUsable == otherPrimaryUsable && networks == otherNetworks;
    }

    /** The section that was made of interfaces under these terms; empty when it is gone. */
    private EniStatus reusable(boolean otherPrimaryUsable, Networks otherNetworks) {
      EniStatus held = isOf(otherPrimaryUsable, otherNetworks) ? section.get() : null;
      return held == null ? EMPTY : held;
    }
  }

  /**
   * The section; interfaces that are as they were {@code before} are taken from there.
   *
   * @param trunks whether trunk interfaces are managed; constant
   */
  static EniStatus of(
      InstanceView<Eni> view,
      boolean primaryUsable,
      boolean trunks,
      Networks networks,
      Made before) {
    EniStatus reusable = before.reusable(primaryUsable, networks);
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>();
    for (Eni eni : view.interfaces()) {
      if (eni.kind() != Eni.Kind.ORDINARY && !(trunks && eni.kind() == Eni.Kind.TRUNK)) {
        continue;
      }
      String id = eni.id().text();
      EniStatus.Eni made = reusable.enis().get(id);
      boolean same = made != null && before.view().find(eni.id()).filter(eni::equals).isPresent();
      enis.put(id, made != null && same ? made : of(eni, primaryUsable, networks));
    }
    return new EniStatus(enis);
  }

  private static EniStatus.Eni of(Eni eni, boolean primaryUsable, Networks networks) {
    Optional<Subnet> subnet = networks.subnet(eni.pool());
    Optional<Vpc> vpc = subnet.flatMap(found -> networks.vpc(found.vpcId()));
    return new EniStatus.Eni(
        eni.id().text(),
        eni.primary(),
        eni.mac(),
        subnet.map(Subnet::availabilityZone).orElse(""),
        eni.description(),
        eni.index(),
        new EniStatus.SubnetRef(eni.pool().text(), subnet.map(Subnet::cidr)),
        new EniStatus.VpcRef(
            subnet.map(Subnet::vpcId).orElse(""),
            vpc.flatMap(Vpc::primaryCidr),
            vpc.map(Vpc::cidrs).orElse(List.of())),
        addresses(eni, primaryUsable),
        eni.prefixes(),
        eni.ipv6Prefixes(),
        eni.publicAddress(),
        eni.securityGroups(),
        eni.tags());
  }

  private static List<IpAddress> addresses(Eni eni, boolean primaryUsable) {
    List<IpAddress> all = new ArrayList<>();
    if (primaryUsable) {
      eni.primary().ifPresent(all::add);
    }
    all.addAll(eni.singles().toList());
    for (Cidr block : eni.prefixes()) {
      for (int i = 0; i < SlotModel.BLOCK_SIZE; i++) {
        all.add(block.address(i));
      }
    }
    return all;
  }
}
