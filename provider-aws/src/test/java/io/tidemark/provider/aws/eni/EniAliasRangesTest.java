package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.AwsProviderFactory;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Prefixes of instances as alias ranges, over the strict EC2 (node-cidr AM29)")
class EniAliasRangesTest {
  private static final Cidr IPV4 = Cidr.parse("10.0.0.32/28");
  private static final String ASSIGN = "AssignPrivateIpAddresses";

  private final EniWorld world = new EniWorld();
  private final NodeAliasRanges ranges = world.provider.aliasRanges().orElseThrow();
  private final String subnet = world.ec2.dualStackSubnet("10.0.0.0/23");
  private final Cidr block = world.ec2.ipv6Block(subnet);

  private InstanceId launched(String node) {
    return new InstanceId(world.launch(node, "m5.large", subnet));
  }

  private InstanceId read(String node) {
    InstanceId id = launched(node);
    assertThat(world.sync(node)).isInstanceOf(SyncOutcome.Synced.class);
    return id;
  }

  private AliasRangeOutcome add(InstanceId instance, Cidr range) {
    return world.await(ranges.add(instance, range, world.context()));
  }

  private static String text(AliasRangeOutcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof AliasRangeOutcome.Refused refused
        ? name + " " + refused.failure().kind()
        : name;
  }

  @DisplayName("NC-AM29 a provider id names an instance of EC2, or none")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "aws:///eu-west-1a/i-0123456789abcdef0, i-0123456789abcdef0",
    "aws:///eu-west-1/i-0123456789abcdef0, i-0123456789abcdef0",
    "aws:////i-01234567, i-01234567",
    "aws:///i-01234567, i-01234567",
    "aws://eu-west-1a/i-01234567, i-01234567",
    "i-01234567, i-01234567",
    "aws:///eu-west-1a/0a1b2c3d-4e5f/fargate-ip-10-0-0-9.eu-west-1.compute.internal, none",
    "aws:///eu-west-1a/fargate-10.0.0.9, none",
    "aws:///eu-west-1a/i-01234567/more, none",
    "aws:///eu-west-1a/i-, none",
    "aws:///eu-west-1a/i-XYZ, none",
    "aws:///eu-west-1a/mi-01234567, none",
    "aws:///eu-west-1a/, none",
    "aws://, none",
    "' aws:///eu-west-1a/i-01234567', none",
    "azure:///subscriptions/i-01234567, none",
    "gce://project/zone/i-01234567, none",
    "eks-hybrid:///eu-west-1/cluster/mi-01234567, none",
    "'', none"
  })
  void providerIds(String providerId, String instance) {
    assertThat(ranges.instanceOf(providerId).map(InstanceId::text).orElse("none"))
        .isEqualTo(instance);
  }

  /** With words for ranges, of which "v6/7" is the seventh /80 of the subnet. */
  private static final class Story extends EniStory {
    private final NodeAliasRanges ranges = world.provider.aliasRanges().orElseThrow();
    private final Cidr block;

    Story() {
      super(new EniWorld());
      world.home = world.ec2.dualStackSubnet("10.0.0.0/23");
      block = world.ec2.ipv6Block(world.home);
    }

    private InstanceId id() {
      return new InstanceId(world.instance(name()));
    }

    private Cidr range(String text) {
      return text.startsWith("v6/")
          ? block.subnet(80, Integer.parseInt(text.substring(3)))
          : Cidr.parse(text);
    }

    @Override
    boolean own(String verb, String... words) {
      switch (verb) {
        case "prefix" -> world.ec2.assignPrefix(id().text(), number(words), range(words[1]));
        case "add" ->
            expect(text(world.await(ranges.add(id(), range(words[0]), world.context()))))
                .isEqualTo(String.join(" ", List.of(words).subList(1, words.length)));
        case "blocks6" ->
            expect(at(words[0]).ipv6Prefixes()).isEqualTo(List.of(range(words[1])).toString());
        case "ranges" ->
            expect(ranges.ranges(id()).map(List::toString).orElse("unknown"))
                .isEqualTo(
                    words[0].equals("unknown")
                        ? words[0]
                        : Stream.of(words).map(this::range).toList().toString());
        default -> {
          return false;
        }
      }
      return true;
    }
  }

  @DisplayName("ranges of instances, what is added and what is refused")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NC-AM29 the interface of index 0 first, the others by index; IPv6 before IPv4 \
            | launch; park late; park early; attach late 2; attach early 1; \
              prefix 2 10.0.0.16/28; prefix 2 v6/1; prefix 1 10.0.0.48/28; prefix 0 10.0.0.96/28; \
              prefix 0 10.0.0.64/28; prefix 0 v6/9; ranges unknown; sync; \
              ranges v6/9 10.0.0.64/28 10.0.0.96/28 10.0.0.48/28 v6/1 10.0.0.16/28
          NC-AM29 an instance with an IPv6 prefix alone has one range \
            | launch; sync Synced; add v6/7 Added; ranges v6/7; blocks 0 0; blocks6 0 v6/7; \
              asked AssignIpv6Addresses; never AssignPrivateIpAddresses
          NC-AM29 an instance that was not read is read first \
            | launch; add 10.0.0.32/28 Added; ranges 10.0.0.32/28
          NC-AM29 what is not free is taken, out of the subnet refused \
            | launch; sync Synced; launch node2; sync Synced node2; \
              prefix 0 10.0.0.48/28 node2; prefix 0 10.0.0.64/28; add 10.0.0.0/28 Taken; \
              add 10.0.0.48/28 Taken; add 10.0.0.64/28 AlreadyOurs; add 10.0.0.80/28 Added; \
              add 10.0.2.0/28 Refused CONFIGURATION
          NC-AM29 an error of EC2 itself is a lost answer: a read decides, once \
            | launch; sync Synced; refuse AssignPrivateIpAddresses InternalError 500; \
              add 10.0.0.32/28 Unknown; sent AssignPrivateIpAddresses 1; serve; add 10.0.0.32/28 Added
          NC-AM29 a lost answer while reads lag is unknown, not taken, until a read shows it \
            | launch; sync Synced; 1m; lag 20s; loseAnswer AssignPrivateIpAddresses; \
              add 10.0.0.32/28 Unknown; answer; add 10.0.0.32/28 Unknown; 20s; \
              add 10.0.0.32/28 AlreadyOurs; blocks 0 1
          """)
  void story(String what, String story) {
    new Story().tell(what, story);
  }

  @Test
  @DisplayName("NC-AM29 an instance that is not there is refused")
  void absent() {
    assertThat(text(add(new InstanceId("i-00000000000000bad"), IPV4)))
        .isEqualTo("Refused NOT_FOUND");
  }

  @Test
  @DisplayName("NC-AM29 a throttled request is repeated within the call, paced as all others")
  void throttled() {
    InstanceId id = read("node1");
    world.faults(Ec2FaultRule.every(ASSIGN, Ec2FaultRule.Kind.THROTTLE));
    var stage = ranges.add(id, IPV4, world.context());
    world.run(Duration.ofSeconds(1));
    world.faults();
    assertThat(world.await(stage)).isInstanceOf(AliasRangeOutcome.Added.class);
    assertThat(world.sent(ASSIGN)).isGreaterThan(1);
  }

  @Test
  @DisplayName("NC-AM28 the factory has alias ranges as the provider has them")
  void factory() {
    assertThat(world.provider.capabilities()).contains(Capability.ALIAS_RANGES);
    assertThat(new AwsProviderFactory().hasAliasRanges()).isTrue();
  }

  @Test
  @DisplayName("NC-AM29 several of a family are reported once, and again when they changed")
  void several() {
    try (LogLines lines = new LogLines(EniAliasRanges.class)) {
      InstanceId id = read("node1");
      assertThat(add(id, block.subnet(80, 3))).isInstanceOf(AliasRangeOutcome.Added.class);
      assertThat(add(id, IPV4)).isInstanceOf(AliasRangeOutcome.Added.class);
      world.sync("node1");
      assertThat(lines.warnings()).as("one of each family").isEmpty();
      world.ec2.assignPrefix(id.text(), 0, block.subnet(80, 1));
      world.sync("node1");
      world.sync("node1");
      assertThat(lines.warnings())
          .singleElement()
          .asString()
          .contains(id.text(), block.subnet(80, 1).toString(), block.subnet(80, 3).toString());
      world.ec2.assignPrefix(id.text(), 0, block.subnet(80, 2));
      world.sync("node1");
      assertThat(lines.warnings()).hasSize(2);
      world.node("node1", world.spec("m5.large", subnet).build(), true, false);
      world.ec2.assignPrefix(id.text(), 0, block.subnet(80, 4));
      world.sync("node1");
      assertThat(lines.warnings()).as("a node of the engine has many").hasSize(2);
    }
  }

  @Test
  @DisplayName("NC-AM29 an IPv6 prefix of an interface without an IPv4 address counts, too")
  void withoutIpv4() {
    AwsEni own = Samples.eni(0, 0, 0).plusIpv6(List.of(block.subnet(80, 5)));
    assertThat(EniAliasRanges.of(List.of(own.unmanaged()))).containsExactly(block.subnet(80, 5));
  }

  @Test
  @DisplayName("NC-AM29 one read serves many instances, and nothing else is read")
  void requests() {
    InstanceId one = launched("node1");
    InstanceId two = launched("node2");
    InstanceId three = launched("node3");
    var stages =
        List.of(one, two, three).stream()
            .map(id -> world.provider.instanceSync(id, world.context()))
            .toList();
    stages.forEach(stage -> assertThat(world.await(stage)).isInstanceOf(SyncOutcome.Synced.class));
    assertThat(world.requests)
        .hasSizeLessThan(stages.size())
        .containsOnly("DescribeNetworkInterfaces");
    assertThat(ranges.ranges(three)).contains(List.of());
    assertThat(add(one, IPV4)).isInstanceOf(AliasRangeOutcome.Added.class);
    assertThat(Set.copyOf(world.requests)).isEqualTo(Set.of("DescribeNetworkInterfaces", ASSIGN));
  }

  @Test
  @DisplayName("NC-AM29 an instance whose interface is not shown yet is worth another attempt")
  void notShown() {
    EniWorld other =
        new EniWorld(Samples.SETTINGS, ec2 -> EditedEc2.reads(ec2, (query, all) -> List.of()));
    String id = other.launch("node1", "m5.large", other.home());
    NodeAliasRanges hidden = other.provider.aliasRanges().orElseThrow();
    assertThat(text(other.await(hidden.add(new InstanceId(id), IPV4, other.context()))))
        .isEqualTo("Refused TRANSIENT");
  }

  @DisplayName("NC-AM29 EC2 assigns /28 and /80 alone; another length sends nothing")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"10.0.0.0/24", "10.0.0.32/29", "2600::/64", "2600::/96"})
  void lengths(Cidr range) {
    InstanceId id = read("node1");
    int before = world.requests.size();
    assertThat(add(id, range))
        .isInstanceOfSatisfying(
            AliasRangeOutcome.Refused.class,
            refused ->
                assertThat(refused.failure().detail())
                    .isEqualTo("EC2 assigns blocks of /28 and /80, not " + range));
    assertThat(world.requests).hasSize(before);
  }

  @Test
  @DisplayName("NC-AM29 the range of a full interface is ours where it has it, else refused")
  void full() {
    InstanceId id = read("node1");
    for (int i = 0; i < 9; i++) {
      world.ec2.assignPrefix(id.text(), 0, Cidr.parse("10.0.1." + 16 * i + "/28"));
    }
    assertThat(text(add(id, IPV4))).isEqualTo("Refused CONFLICT");
    assertThat(text(add(id, Cidr.parse("10.0.1.16/28")))).isEqualTo("AlreadyOurs");
  }

  @DisplayName("NC-AM29 the errors of EC2, by name")
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          InsufficientCidrBlocks | The specified subnet does not have enough free cidr blocks to satisfy the request | Taken
          InsufficientCidrBlocks | There are not enough free cidr blocks in the specified subnet to satisfy the request. | Taken
          InsufficientFreeAddressesInSubnet | The specified subnet does not have enough free addresses to satisfy the request. | Taken
          InvalidIPAddress.InUse | Address 10.0.0.32 is in use. | Taken
          InvalidParameterValue | There aren't sufficient free Ipv4 addresses or prefixes | Taken
          InvalidParameterValue | Address does not fall within the subnet's address range | Refused CONFIGURATION
          PrivateIpAddressLimitExceeded | Number of private addresses will exceed limit. | Refused CONFLICT
          InvalidNetworkInterfaceID.NotFound | The networkInterface ID 'eni-1' does not exist | Refused NOT_FOUND
          UnauthorizedOperation | You are not authorized to perform this operation. | Refused CONFIGURATION
          OperationNotPermitted | You are not allowed to manage this interface | Refused CONFIGURATION
          UnsupportedOperation | The instance type t2.micro does not support prefixes | Refused CONFIGURATION
          RequestLimitExceeded | Request limit exceeded. | Refused THROTTLED
          Throttling | Rate exceeded | Refused THROTTLED
          """)
  void errors(String code, String text, String outcome) {
    InstanceId id = read("node1");
    world.faults(Ec2FaultRule.failing(ASSIGN, new Ec2Error(code, text, 400)));
    AliasRangeOutcome first = add(id, IPV4);
    assertThat(text(first)).isEqualTo(outcome);
    if (first instanceof AliasRangeOutcome.Taken taken) {
      assertThat(taken.detail()).contains("ec2:" + ASSIGN, code, text);
    }
    assertThat(ranges.ranges(id)).contains(List.of());
    world.faults();
    assertThat(text(add(id, IPV4))).isEqualTo("Added");
  }
}
