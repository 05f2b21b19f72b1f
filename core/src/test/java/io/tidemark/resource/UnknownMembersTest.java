package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.EniStatus.SubnetRef;
import io.tidemark.resource.EniStatus.VpcRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("NM-J1 unknown members survive a write of the object that they stand in")
class UnknownMembersTest {
  private static final String STATUS =
      """
      {'eni':{'x-eni':1,'enis':{'eni-a':{
        'id':'eni-a','ip':'10.0.0.1','mac':'m','availability-zone':'z','description':'d',
        'number':1,'x-interface':[1.0],
        'subnet':{'id':'s','cidr':'10.0.0.0/24','x-subnet':{'a':1}},
        'vpc':{'id':'v','primary-cidr':'10.0.0.0/16','cidrs':['10.1.0.0/16'],'x-vpc':'kept'},
        'addresses':['10.0.0.2'],'prefixes':['10.0.0.16/28'],'ipv6-prefixes':['2001:db8::/80'],
        'public-ip':'192.0.2.1','security-groups':['sg'],'tags':{'k':'v'}}}}}
      """;

  private static final String SPEC =
      """
      {'ipam':{'x-ipam':1,'pools':{'x-pools':2,
        'requested':[
          {'pool':'other','x-other':true,'needed':{'ipv4-addrs':1,'x-other-needed':4}},
          {'pool':'default','x-requested':3,'needed':{'ipv4-addrs':5,'ipv6-addrs':6,'x-needed':{}}}],
        'allocated':[
          {'pool':'default','x-allocated':null,'cidrs':['10.0.0.0/28','10.0.0.16/28']}]},
        'pool':{'10.0.0.2':{'resource':'eni-a','x-entry':[]}}}}
      """;

  private static final List<String> STATUS_MEMBERS =
      List.of("'x-eni':1", "'x-interface':[1.0]", "'x-subnet':{'a':1}", "'x-vpc':'kept'");

  private static final List<String> SPEC_MEMBERS =
      List.of(
          "'x-ipam':1",
          "'x-pools':2",
          "'x-other':true",
          "'x-other-needed':4",
          "'x-requested':3",
          "'x-needed':{}",
          "'x-allocated':null",
          "'x-entry':[]");

  /** The interface with one member changed. */
  private static Eni changed(Eni eni, String member) {
    boolean id = member.equals("vpc.id") || member.equals("subnet.id");
    SubnetRef subnet = eni.subnet();
    VpcRef vpc = eni.vpc();
    Cidr block = Cidr.parse("10.2.0.0/16");
    return new Eni(
        eni.id(),
        member.equals("ip") ? Optional.empty() : eni.ip(),
        member.equals("mac") ? "n" : eni.mac(),
        member.equals("availability-zone") ? "y" : eni.availabilityZone(),
        member.equals("description") ? "" : eni.description(),
        member.equals("number") ? 0 : eni.number(),
        member.startsWith("subnet")
            ? new SubnetRef(id ? "t" : subnet.id(), id ? subnet.cidr() : Optional.of(block))
            : subnet,
        member.startsWith("vpc")
            ? new VpcRef(
                id ? "w" : vpc.id(),
                member.equals("vpc.primary-cidr") ? Optional.of(block) : vpc.primaryCidr(),
                member.equals("vpc.cidrs") ? List.of() : vpc.cidrs())
            : vpc,
        member.equals("addresses") ? List.of(IpAddress.parse("10.0.0.9")) : eni.addresses(),
        member.equals("prefixes") ? List.of() : eni.prefixes(),
        member.equals("ipv6-prefixes") ? List.of() : eni.ipv6Prefixes(),
        member.equals("public-ip") ? Optional.empty() : eni.publicIp(),
        member.equals("security-groups") ? List.of() : eni.securityGroups(),
        member.equals("tags") ? Map.of() : eni.tags());
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "ip",
        "mac",
        "availability-zone",
        "description",
        "number",
        "subnet.id",
        "subnet.cidr",
        "vpc.id",
        "vpc.primary-cidr",
        "vpc.cidrs",
        "addresses",
        "prefixes",
        "ipv6-prefixes",
        "public-ip",
        "security-groups",
        "tags"
      })
  void ofAnInterface(String member) {
    NodeResource node = TestResources.node("{}", STATUS);
    Eni eni = Objects.requireNonNull(node.eniStatus().orElseThrow().enis().get("eni-a"));
    Eni wanted = changed(eni, member);
    assertThat(wanted).isNotEqualTo(eni);
    NodeResource written =
        node.withEniStatus(new EniStatus(new TreeMap<>(Map.of("eni-a", wanted))));
    assertThat(written.eniStatus().orElseThrow().enis()).containsEntry("eni-a", wanted);
    assertThat(quoted(written)).contains(STATUS_MEMBERS);
  }

  static Stream<Arguments> specs() {
    IpamSpec ipam = TestResources.node(SPEC, "{}").ipam();
    Set<Cidr> block = Set.of(Cidr.parse("10.0.0.0/28"));
    return Stream.of(
        Arguments.of("the demand", with(ipam, new AddressDemand(7, 6), ipam.allocatedCidrs())),
        Arguments.of("demand of none", with(ipam, new AddressDemand(0, 0), ipam.allocatedCidrs())),
        Arguments.of("the blocks", with(ipam, ipam.requested().orElseThrow(), block)),
        Arguments.of("no block", with(ipam, ipam.requested().orElseThrow(), Set.of())),
        Arguments.of("both", with(ipam, new AddressDemand(8, 9), block)));
  }

  private static IpamSpec with(IpamSpec ipam, AddressDemand demand, Set<Cidr> blocks) {
    return new IpamSpec(
        ipam.preAllocate(),
        ipam.minAllocate(),
        ipam.maxAllocate(),
        ipam.maxAboveWatermark(),
        ipam.staticIpTags(),
        Optional.of(demand),
        blocks);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("specs")
  void ofDemandAndBlocks(String changed, IpamSpec wanted) {
    NodeResource node = TestResources.node(SPEC, "{}");
    NodeResource written = node.withIpam(wanted);
    assertThat(written.ipam()).as(changed).isEqualTo(wanted);
    assertThat(written.sameSpec(node)).isFalse();
    assertThat(quoted(written)).contains(SPEC_MEMBERS);
  }

  private static String quoted(NodeResource node) {
    return NodeResourceJson.print(node).replace('"', '\'');
  }
}
