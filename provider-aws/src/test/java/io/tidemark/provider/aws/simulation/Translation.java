package io.tidemark.provider.aws.simulation;

import io.tidemark.emulator.ec2.model.Ec2ElasticAddresses;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Instance;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.aws.ec2.RouteTable;
import io.tidemark.provider.aws.ec2.Vpc;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The model's objects as our client would have read them from their answers. */
final class Translation {
  private final Map<String, Read> known = new HashMap<>();

  private record Read(
      io.tidemark.emulator.ec2.model.Ec2NetworkInterface model,
      Optional<IpAddress> publicAddress,
      AwsNetworkInterface read) {}

  @SuppressWarnings("ReferenceEquality")
  AwsNetworkInterface of(Region region, io.tidemark.emulator.ec2.model.Ec2NetworkInterface shown) {
    Optional<IpAddress> address =
        new Ec2ElasticAddresses(region)
            .of(shown.id())
            .findFirst()
            .map(each -> (IpAddress) each.publicIp());
    @Nullable Read before = known.get(shown.id());
    if (before != null && before.model() == shown && before.publicAddress().equals(address)) {
      return before.read();
    }
    AwsNetworkInterface read = read(shown, address);
    known.put(shown.id(), new Read(shown, address, read));
    return read;
  }

  private static AwsNetworkInterface read(
      io.tidemark.emulator.ec2.model.Ec2NetworkInterface shown, Optional<IpAddress> publicAddress) {
    AddressSet.Builder singles = AddressSet.builder();
    shown.addresses().secondary().forEach(singles::add);
    AddressSet.Builder ipv6 = AddressSet.builder();
    shown.addresses().ipv6().forEach(ipv6::add);
    return new AwsNetworkInterface(
        new InterfaceId(shown.id()),
        shown.type(),
        shown.status(),
        new PoolId(shown.placement().subnetId()),
        shown.placement().vpcId(),
        shown.placement().zone().name(),
        shown.macAddress(),
        shown.settings().description(),
        shown.addresses().first().map(each -> each),
        singles.build(),
        shown.addresses().prefixes().stream().sorted().toList(),
        ipv6.build(),
        Optional.empty(),
        shown.addresses().ipv6Prefixes().stream().sorted().toList(),
        shown.settings().groups().stream().map(each -> each.id()).sorted().toList(),
        shown.tags().values(),
        shown
            .attachment()
            .map(
                each ->
                    new Attachment(
                        each.id(),
                        Optional.of(new InstanceId(each.instanceId())),
                        each.card(),
                        each.device(),
                        each.deleteOnTermination(),
                        each.status().wire())),
        publicAddress,
        tracking(shown.settings().tracking()),
        List.of());
  }

  private static ConnectionTracking tracking(Map<String, Integer> shown) {
    return new ConnectionTracking(
        seconds(shown.get("tcpEstablishedTimeout")),
        seconds(shown.get("udpStreamTimeout")),
        seconds(shown.get("udpTimeout")));
  }

  private static OptionalInt seconds(@Nullable Integer shown) {
    return shown == null ? OptionalInt.empty() : OptionalInt.of(shown);
  }

  static AwsSubnet of(io.tidemark.emulator.ec2.model.Ec2Subnet shown) {
    return new AwsSubnet(
        new PoolId(shown.id()),
        shown.vpcId(),
        shown.block(),
        shown.ipv6Block().map(each -> each.block()),
        true,
        shown.zone().name(),
        shown.zone().id(),
        "",
        shown.availableAddresses(),
        shown.tags().values());
  }

  static Vpc of(io.tidemark.emulator.ec2.model.Ec2Vpc shown) {
    return new Vpc(
        shown.id(),
        Optional.of(shown.primaryBlock()),
        shown.blocks().stream()
            .map(each -> each.block())
            .filter(block -> block.family() == IpFamily.IPV4)
            .filter(block -> !block.equals(shown.primaryBlock()))
            .sorted()
            .toList());
  }

  static RouteTable of(io.tidemark.emulator.ec2.model.Ec2RouteTable shown) {
    return new RouteTable(
        shown.id(),
        shown.vpcId(),
        shown.isMain(),
        shown.associations().stream()
            .flatMap(each -> each.subnetId().stream())
            .map(PoolId::new)
            .collect(Collectors.toSet()));
  }

  static Instance of(io.tidemark.emulator.ec2.model.Ec2Instance shown) {
    return new Instance(
        new InstanceId(shown.id()),
        Instance.State.valueOf(shown.state().name()),
        shown.tags().values());
  }

  static InstanceType of(io.tidemark.emulator.ec2.types.Ec2InstanceType shown) {
    return new InstanceType(
        shown.name(),
        shown.cards().get(shown.defaultCard()).maximumInterfaces(),
        shown.maximumInterfaces(),
        shown.ipv4PerInterface(),
        shown.ipv6PerInterface(),
        shown.hypervisor(),
        shown.bareMetal());
  }
}
