package io.tidemark.provider.aws.eni;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Accounts;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.provider.aws.ec2.EmulatedEc2;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.contract.ContractCloud;
import io.tidemark.spi.contract.ContractCloud.Capacity;
import io.tidemark.spi.contract.ContractCloud.TrueInterface;
import io.tidemark.spi.contract.EniNodes;
import io.tidemark.spi.contract.NodeShape;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The strict EC2 as the contract sees it: one VPC {@code vpc-a}, no buckets. */
final class EmulatedContractCloud implements ContractCloud {
  private static final Set<String> CHANGES =
      Set.of(
          "CreateNetworkInterface",
          "AttachNetworkInterface",
          "ModifyNetworkInterfaceAttribute",
          "AssignPrivateIpAddresses",
          "UnassignPrivateIpAddresses",
          "AssignIpv6Addresses",
          "DetachNetworkInterface",
          "DeleteNetworkInterface",
          "AssociateAddress");

  private final EmulatedEc2 ec2;
  private final Ec2Api api;
  private final Map<String, String> realByName = new HashMap<>();
  private final Map<String, String> nameByReal = new HashMap<>();
  private final Map<String, Long> changes = new TreeMap<>();
  private final Map<String, Cidr> subnets = new HashMap<>();
  private Duration lag = Duration.ZERO;
  private Set<String> throttled = Set.of();
  private Optional<Cidr> ipv6Block = Optional.empty();
  private Optional<String> notRunning = Optional.empty();

  EmulatedContractCloud(VirtualTime time) {
    ec2 = EniWorld.emulated(time);
    api = EditedEc2.over(ec2.api(), this::answer);
    name("vpc-a", ec2.vpc());
    name("zone-a", ec2.zone());
  }

  /** From now on EC2 knows the thing by this name of the test's choice. */
  private void name(String name, String real) {
    realByName.put(name, real);
    nameByReal.put(real, name);
  }

  private @Nullable Object answer(String request, Object[] named, Callable<?> genuine)
      throws Exception {
    if (request.matches("(assign|unassign|create|attach|modify|detach|delete|associate).*")) {
      changes.merge(request, 1L, Long::sum);
    }
    for (int i = 0; i < named.length; i++) {
      named[i] = renamed(named[i], realByName);
    }
    Object answer = genuine.call();
    return answer == null ? null : renamed(answer, nameByReal);
  }

  /** The value with other names of things within, tags excepted. */
  private static Object renamed(Object value, Map<String, String> names) {
    if (value instanceof String text) {
      return names.getOrDefault(text, text);
    } else if (value instanceof IpAddress address) {
      return IpAddress.parse(names.getOrDefault(address.toString(), address.toString()));
    } else if (value instanceof Optional<?> optional) {
      return optional.map(each -> renamed(each, names));
    } else if (value instanceof Collection<?> all) {
      Stream<Object> renamed = all.stream().map(each -> renamed(each, names));
      return all instanceof Set ? renamed.collect(Collectors.toSet()) : renamed.toList();
    } else if (value instanceof Ec2Filter filter) {
      Ec2Filter all = Ec2Filter.NONE;
      for (Map.Entry<String, Set<String>> each : filter.values().entrySet()) {
        Stream<String> given = each.getValue().stream();
        boolean tag = each.getKey().startsWith("tag:");
        all = all.and(each.getKey(), given.map(v -> tag ? v : names.getOrDefault(v, v)).toList());
      }
      return all;
    } else if (value instanceof Record record) {
      return Copies.rebuilt(record, (component, each) -> renamed(each, names));
    }
    return value;
  }

  private String real(String name) {
    return realByName.getOrDefault(name, name);
  }

  @Override
  public AllocationImplementation provider(ProviderContext context) {
    return OneAccount.of(
        Ec2Accounts.one(api),
        context.calls().create(Ec2CallLimits.of("111111111111", "us-east-1", 1)),
        Copies.with(SettingsSample.USUAL, "horizon", LAG_MAX),
        context.cluster(),
        new TrueLimits(api, Door.OPEN),
        context.scheduler());
  }

  @Override
  public void subnet(String id, Cidr cidr) {
    boolean dualStack = subnets.isEmpty();
    String block = cidr.toString();
    String real = dualStack ? ec2.dualStackSubnet(block) : ec2.subnet(block);
    if (dualStack) {
      ipv6Block = Optional.of(ec2.ipv6Block(real));
    }
    name(id, real);
    subnets.put(id, cidr);
  }

  @Override
  public void securityGroup(String id, Map<String, String> tags) {
    name(id, ec2.securityGroup(id.replace("sg-", "group-"), tags));
  }

  @Override
  public void publicAddress(IpAddress address, Map<String, String> tags) {
    name(address.toString(), ec2.publicAddress(tags));
  }

  @Override
  public NodeResource launch(String node, NodeShape shape, String subnet) {
    String instance =
        ec2.launch(EniNodes.instanceType(shape), real(subnet), EniNodes.firstInterfaceTags(shape));
    return EniNodes.node(node, instance, shape);
  }

  @Override
  public String unknownInstance() {
    return "i-00000000000000bad";
  }

  @Override
  public String providerId(String instanceId) {
    return "aws:///" + ec2.zone() + "/" + instanceId;
  }

  @Override
  public List<Cidr> aliasRanges(String instanceId) {
    List<Cidr> all = new ArrayList<>();
    now(
        () ->
            ec2.interfaces(instanceId)
                .forEach(
                    each -> {
                      all.addAll(each.ipv6Prefixes());
                      all.addAll(each.prefixes());
                    }));
    return all;
  }

  /** One of each family. A block has one length, so none overlaps with another. */
  @Override
  public AliasSamples aliasSamples() {
    Cidr ipv6 = ipv6Block.orElseThrow().subnet(80, 7);
    return new AliasSamples(ipv6, Cidr.parse("10.0.3.16/28"), List.of());
  }

  @Override
  public List<Capacity> capacities() {
    return EniNodes.capacities();
  }

  @Override
  public boolean addsWhileStopped() {
    return true;
  }

  @Override
  public String withUnknownMembers(String json) {
    return EniNodes.withUnknownMembers(json);
  }

  @Override
  public void leaveFree(String subnetId, int left) {
    Cidr block = Objects.requireNonNull(subnets.get(subnetId));
    int last = (int) block.sizeSaturated() - 1;
    // Every other address first, so that no block survives; EC2 keeps the first four and the last.
    IntStream offsets =
        IntStream.of(4, 5).flatMap(first -> IntStream.iterate(first, i -> i < last, i -> i + 2));
    String subnet = real(subnetId);
    ec2.occupy(subnet, block, offsets, ec2.freeAddresses(subnet) - left);
  }

  /** EC2 attaches to a stopped instance; it refuses while the instance is on its way there. */
  @Override
  public void stop(String instanceId) {
    notRunning = Optional.of(instanceId);
    applyFaults();
  }

  @Override
  public void restart(String instanceId) {
    notRunning = Optional.empty();
    applyFaults();
  }

  @Override
  public void terminate(String instanceId) {
    now(() -> ec2.terminate(instanceId));
  }

  @Override
  public void throttle(Set<String> operations) {
    throttled = Set.copyOf(operations);
    applyFaults();
  }

  private void applyFaults() {
    List<Ec2FaultRule> rules = new ArrayList<>();
    throttled.forEach(each -> rules.add(Ec2FaultRule.every(each, Ec2FaultRule.Kind.THROTTLE)));
    notRunning.ifPresent(
        id ->
            rules.add(
                Ec2FaultRule.failing(
                    "AttachNetworkInterface",
                    new Ec2Error(
                        "IncorrectState", "Instance '" + id + "' is not 'running'.", 400))));
    ec2.emulator().faults(rules);
  }

  @Override
  public void lag(Duration behind) {
    lag = behind;
    ec2.emulator().readsBehind(Optional.of(behind));
  }

  /** Makes the look see the truth, whatever reads of others lag. */
  private void now(Runnable look) {
    ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    look.run();
    ec2.emulator().readsBehind(Optional.of(lag));
  }

  @Override
  public List<TrueInterface> interfaces(String instanceId) {
    List<TrueInterface> all = new ArrayList<>();
    now(
        () ->
            ec2.interfaces(instanceId)
                .forEach(each -> all.add(shown((AwsNetworkInterface) renamed(each, nameByReal)))));
    return all;
  }

  private static TrueInterface shown(AwsNetworkInterface each) {
    Attachment attachment = each.attachment().orElseThrow();
    return new TrueInterface(
        each.id().text(),
        each.subnet().text(),
        each.primary().orElseThrow(),
        each.singles(),
        each.prefixes(),
        each.securityGroups().stream().sorted().toList(),
        attachment.deleteOnTermination());
  }

  @Override
  public int unattachedInterfaces() {
    int[] count = new int[1];
    now(() -> count[0] = ec2.unattached());
    return count[0];
  }

  @Override
  public Map<String, Long> changes() {
    return changes;
  }

  @Override
  public Set<String> changingOperations() {
    return CHANGES;
  }
}
