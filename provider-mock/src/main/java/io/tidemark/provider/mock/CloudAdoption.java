package io.tidemark.provider.mock;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.ShownInstance.ShownInterface;
import io.tidemark.provider.mock.cloud.CloudSetup;
import io.tidemark.provider.mock.cloud.Instance;
import io.tidemark.provider.mock.cloud.InstanceLaunch;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.provider.mock.cloud.Vpc;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes exist in the cloud what a manifest shows. What the cloud holds already stays as it is; what
 * contradicts it is left out with a warning.
 */
final class CloudAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(CloudAdoption.class);

  private final MockCloud cloud;
  private final CloudSetup setup;

  CloudAdoption(MockCloud cloud) {
    this.cloud = cloud;
    this.setup = cloud.setup();
  }

  /** Something shown that another instance has. */
  record Taken(String what, String byInstance) {}

  /** The first thing shown that another instance of the cloud has. */
  Optional<Taken> taken(ShownInstance shown) {
    for (ShownInterface each : shown.interfaces()) {
      Optional<NetworkInterface> same = cloud.networkInterface(each.id());
      if (same.isPresent()) {
        return Optional.of(new Taken("interface " + each.id(), instanceOf(same.get())));
      }
      AddressSet addresses = each.singles();
      if (each.primary().isPresent()) {
        addresses = addresses.plus(each.primary().get());
      }
      for (Cidr block : each.prefixes()) {
        addresses = addresses.plus(AddressSet.ofRange(block));
      }
      for (IpAddress address : addresses) {
        Optional<NetworkInterface> holder = setup.holder(each.subnetId(), address);
        if (holder.isPresent()) {
          return Optional.of(new Taken("address " + address, instanceOf(holder.get())));
        }
      }
    }
    return Optional.empty();
  }

  /** Puts the instance into the cloud. */
  void adopt(ShownInstance shown) {
    if (cloud.instance(shown.id().text()).isPresent()) {
      setup.forget(shown.id().text());
    }
    boolean plugged = false;
    for (ShownInterface each : shown.interfaces()) {
      vpc(each.vpcId(), each.vpcCidrs());
      subnet(each.subnetId(), each.vpcId(), each.zone(), each.subnetCidr());
      setup.instance(
          new Instance(
              shown.id().text(),
              shown.type(),
              shown.vpcId(),
              shown.zone(),
              Instance.State.RUNNING));
      plugged |= plugIn(shown, each);
    }
    if (!plugged && cloud.attachedTo(shown.id().text()).isEmpty()) {
      setup.forget(shown.id().text());
      launch(shown);
    }
  }

  private void launch(ShownInstance shown) {
    vpc(shown.vpcId(), List.of());
    subnet(shown.homeSubnetId(), shown.vpcId(), shown.zone(), Optional.empty());
    try {
      setup.launch(
          new InstanceLaunch(
              shown.id().text(),
              shown.type(),
              shown.homeSubnetId(),
              shown.securityGroups(),
              Map.of()));
    } catch (IllegalArgumentException refused) {
      warn(MockError.MANIFEST_WITHOUT_ROOM, String.valueOf(refused.getMessage()));
    }
  }

  private boolean plugIn(ShownInstance shown, ShownInterface each) {
    AddressSet held = each.singles();
    for (Cidr block : each.prefixes()) {
      held = held.plus(AddressSet.ofRange(block));
    }
    AddressSet except = held;
    Optional<IpAddress> primary =
        each.primary().or(() -> setup.lowestFree(each.subnetId(), except));
    Optional<NetworkInterface> plugged =
        primary.flatMap(ip -> setup.plugIn(wanted(shown, each, ip)));
    int kept = plugged.map(now -> now.singles().size() + 16 * now.prefixes().size()).orElse(0);
    if (kept < held.size()) {
      warn(
          MockError.MANIFEST_CONTRADICTS,
          "of "
              + held.size()
              + " addresses of "
              + each.id()
              + " only "
              + kept
              + " can be in "
              + each.subnetId());
    }
    return plugged.isPresent();
  }

  private static NetworkInterface wanted(
      ShownInstance shown, ShownInterface each, IpAddress primary) {
    return new NetworkInterface(
        each.id(),
        each.subnetId(),
        each.mac(),
        each.description(),
        primary,
        each.singles(),
        each.prefixes(),
        each.securityGroups(),
        each.tags(),
        Optional.of(
            new Attachment(
                "eni-attach-" + each.id(),
                shown.id().text(),
                each.index(),
                shown.deleteOnTermination())),
        Optional.empty());
  }

  private void vpc(String id, List<Cidr> cidrs) {
    Optional<Vpc> known = setup.findVpc(id);
    if (known.isEmpty()) {
      setup.vpc(
          cidrs.isEmpty()
              ? new Vpc(id, MadeNetworks.VPC_CIDR, List.of())
              : new Vpc(id, cidrs.get(0), cidrs.subList(1, cidrs.size())));
    }
  }

  private void subnet(String id, String vpcId, String zone, Optional<Cidr> shown) {
    List<Subnet> others = setup.subnets();
    if (others.stream().anyMatch(other -> other.id().equals(id))) {
      return;
    }
    try {
      if (shown.isPresent()) {
        setup.subnet(new Subnet(id, vpcId, zone, shown.get(), Map.of()));
        return;
      }
    } catch (IllegalArgumentException contradicts) {
      warn(MockError.MANIFEST_CONTRADICTS, String.valueOf(contradicts.getMessage()));
    }
    Cidr vpcCidr = setup.findVpc(vpcId).map(Vpc::primaryCidr).orElse(MadeNetworks.VPC_CIDR);
    MadeNetworks.subnet(id, vpcId, zone, vpcCidr, others).ifPresent(setup::subnet);
  }

  private static void warn(MockError code, String detail) {
    LOG.warn("{} {}: {}. {}", code.label(), code.name(), detail, code.remedy());
  }

  private static String instanceOf(NetworkInterface each) {
    return each.attachment().map(Attachment::instanceId).orElse("");
  }
}
