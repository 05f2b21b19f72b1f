package io.tidemark.agent.crd;

import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Addresses of the pool in a node's object")
class CrdAddressesTest {
  private final CrdWorld world = new CrdWorld();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Each address is handed out once, the longest unused first, and given back \
            | pool 1 2 3 9; start; next a b c d = 1 2 3 9; \
              whyNext other = EXHAUSTED, retryable: no IPv4 address of pool default is free: 4 \
              in use, 0 cooling; take 1 other = ALREADY_ALLOCATED; \
              why 4 = NOT_AVAILABLE_IN_POOL, retryable: IP 10.0.0.4 is not available; release 9; \
              next e = 9; status = 4/4 allocated from the pool of node worker-a
          What is in use stays so when it leaves the pool, and is published with its interface \
            | pool 1 2; start 1; 15s; has eni-1 2; 15s; used = 1:pod-10.0.0.1@eni-1; \
              take 1 other = ALREADY_ALLOCATED; next b = 2; release 1; has eni-1 1 2; next c = 1
          A40 Handed out are addresses of the family that nobody reserved; mapped ones never \
            | pool 1!somebody 2 f00d::1 ::ffff:10.0.0.9; mark 3 marked-for-release; start; \
              next a = 2; next other = EXHAUSTED; take 9 other = NOT_AVAILABLE_IN_POOL; \
              counts = 0/1/0/0/1
          A41 In mode crd an owner gets the address reserved for it, once, and nobody else \
            | mode CRD; poolOfNone 1 2!team/db; start; \
              why 2 = EXCLUDED: 10.0.0.2 of pool default is reserved by team/db; \
              next team/db = 2; \
              whyNext team/db = ALREADY_ALLOCATED: 10.0.0.2 is in use by team/db; next a = 1; \
              release 2; next other = EXHAUSTED; take 2 team/db = 2; interface = none
          A41 The lowest address of the pool can be reserved as well \
            | mode CRD; poolOfNone 1!team/db 2; start; next a = 2; next b = EXHAUSTED; \
              unable = true; next team/db = 1
          A81 A reservation survives events, and comes and goes with the object \
            | pool 1!somebody 2; start; has eni-1 1 2 3; reserved = 1; take 1 other = EXCLUDED; \
              has eni-1 2; has eni-1 1; next a = 1
          A42 An address whose interface is not in the status stays free, and is had later \
            | pool 1; start; has eni-2 2; \
              why 2 = INTERFACE_UNKNOWN, retryable: interface "eni-2" of 10.0.0.2 is not in the \
              node's status or not here; next a = 1; \
              whyNext other = INTERFACE_UNKNOWN, retryable: interface "eni-2" of 10.0.0.2 is not \
              in the node's status or not here; lists eni-2 2; next b = 2; interface = 2
          A83 An address of an interface that is not on this machine stays free until it is \
            | absent eni-1; pool 1; start; take 1 other = INTERFACE_UNKNOWN; \
              whyNext other = INTERFACE_UNKNOWN, retryable: interface "eni-1" of 10.0.0.1 is not \
              in the node's status or not here; counts = 0/0/0/0/1; present; 6s; next a = 1
          A83 In mode crd, where the pool names the interface, it stays free as well \
            | mode CRD; absent eni-1; pool 1; lists; start; \
              whyNext other = INTERFACE_UNKNOWN, retryable: interface "eni-1" of 10.0.0.1 is not \
              in the node's status or not here; present; 6s; next a = 1
          A47 Without an object nothing is allocated; what is allocated stays, and goes on \
            | cools 130s; begin; \
              whyNext other = NODE_UNAVAILABLE, retryable: there is no object of node worker-a \
              and this instance; \
              why 1 = NODE_UNAVAILABLE, retryable: there is no object of node worker-a and this \
              instance; pool 1 2 3; finish; next a b = 3 1; release 1; delete; 1s; \
              whyNext other = NODE_UNAVAILABLE, retryable: there is no object of node worker-a \
              and this instance; take 3 other = ALREADY_ALLOCATED; release 3; pool 1 2 3; \
              counts = 1/0/2/0/0; next c = 2
          A84 The object of another instance of the same name counts as none \
            | instance i-2; pool 1; mark 1 marked-for-release; start; \
              next other = NODE_UNAVAILABLE; 60s; writes = 0; withdraw 1; becomes i-2; \
              next a = 1; 15s; used = 1:a@eni-1
          A40 Each family has its own addresses of a pool of both, and no mapped ones \
            | bothFamilies; pool 1 f00d::1 f00d::2 ::ffff:10.0.0.9; start; \
              counts = 1/0/0/0/0 2/0/0/0/0; next6 a b = f00d::1 f00d::2; next a = 1
          Handing out goes on behind the address before when the pool changes \
            | pool 1 2 3 4; start; next a = 1; has eni-1 0 1 2 3 4; release 1; \
              next b c d e f = 2 3 4 0 1
          """)
  void story(String name, String story) {
    CrdStory.run(story);
  }

  @Test
  @DisplayName("A43 A result on EC2 has the interface's data, and the routes that it serves")
  void eni() {
    world.families = EnumSet.allOf(IpFamily.class);
    EniStatus.Eni eni =
        new EniStatus.Eni(
            "eni-1",
            Optional.empty(),
            "02:00:00:00:00:01",
            "zone-a",
            "",
            1,
            new EniStatus.SubnetRef("subnet-a", Optional.of(Cidr.parse("10.1.1.0/24"))),
            new EniStatus.VpcRef(
                "vpc-a",
                Optional.of(Cidr.parse("10.1.0.0/16")),
                List.of(Cidr.parse("10.2.0.0/16"))),
            List.of(IpAddress.parse("10.1.1.7"), IpAddress.parse("f00d::7")),
            List.of(),
            List.of(),
            Optional.empty(),
            List.of(),
            Map.of());
    world.object(Samples.node(CrdWorld.NODE).pool("eni-1", "10.1.1.7", "f00d::7").eni(eni).build());
    world.start();
    List<Cidr> cidrs = List.of(Cidr.parse("10.1.0.0/16"), Cidr.parse("10.2.0.0/16"));
    assertThat(world.next("a").details())
        .contains(
            new InterfaceDetails(
                "eni-1",
                "02:00:00:00:00:01",
                "1",
                eni.subnet().cidr(),
                Optional.of(IpAddress.parse("10.1.1.1")),
                cidrs));
    Allocation six = world.ipam().allocateNext(IpFamily.IPV6, "a", CrdWorld.POOL, UpstreamSync.NOW);
    assertThat(granted(six).details().orElseThrow().gateway())
        .contains(IpAddress.parse("fe80:ec2::1"));
    InterfaceCatalog more =
        InterfaceCatalog.of(
            CrdMode.ENI,
            world.now(),
            List.of(
                Cidr.parse("192.168.0.0/16"),
                Cidr.parse("10.2.0.0/16"),
                Cidr.parse("2001:db8::/56")));
    assertThat(more.find("eni-1", IpFamily.IPV4).orElseThrow().cidrs())
        .containsExactly(cidrs.get(0), cidrs.get(1), Cidr.parse("192.168.0.0/16"));
    assertThat(more.find("eni-1", IpFamily.IPV6).orElseThrow().cidrs())
        .containsExactly(cidrs.get(0), cidrs.get(1), Cidr.parse("2001:db8::/56"));
    assertThat(more.find("eni-9", IpFamily.IPV4)).isEmpty();
  }

  @Test
  @DisplayName("A44 A result on Azure has interface number 0 and the subnet's gateway")
  void azure() {
    world.mode = CrdMode.AZURE;
    AzureStatus.Interface nic =
        new AzureStatus.Interface(
            "/nic/a",
            "a",
            "00:0d:3a:00:00:01",
            "succeeded",
            Optional.empty(),
            List.of(
                new AzureStatus.Address(
                    IpAddress.parse("10.1.1.7"), "/subnet", AzureStatus.SUCCEEDED)),
            "",
            Optional.of(IpAddress.parse("10.1.1.1")),
            Optional.of(Cidr.parse("10.1.1.0/24")),
            "/subnet");
    world.object(Samples.node(CrdWorld.NODE).pool("/nic/a", "10.1.1.7").build());
    world.edit(node -> node.withAzureStatus(new AzureStatus(new TreeMap<>(Map.of("/nic/a", nic)))));
    world.start();
    assertThat(world.next("a").details())
        .contains(
            new InterfaceDetails(
                "/nic/a",
                "00:0d:3a:00:00:01",
                "0",
                nic.cidr(),
                nic.gateway(),
                List.of(Cidr.parse("10.1.1.0/24"))));
  }

  @Test
  @DisplayName(
      "A45 An agent serves when each family has min-allocate, else pre-allocate, else 1 or 2")
  void minimum() {
    StartRule with = new StartRule(true);
    StartRule without = new StartRule(false);
    assertThat(with.required(Samples.node("n", 8, 3, 0).ipam())).isEqualTo(3);
    assertThat(with.required(Samples.node("n", 8, 0, 0).ipam())).isEqualTo(8);
    assertThat(with.required(Samples.node("n", 0, 0, 0).ipam())).isEqualTo(2);
    assertThat(without.required(Samples.node("n", 0, 0, 0).ipam())).isEqualTo(1);
    world.families = EnumSet.allOf(IpFamily.class);
    world.object(
        CrdWorld.sample("10.0.0.1", "10.0.0.2", "f00d::1")
            .releaseIp("10.0.0.2", HandshakeState.MARKED_FOR_RELEASE)
            .build());
    world.start();
    assertThat(without.missing(world.now().ipam(), world.ipam().snapshot())).isEmpty();
    assertThat(with.missing(world.now().ipam(), world.ipam().snapshot()).orElseThrow())
        .startsWith("1 IPv4 addresses of 2");
    world.take("10.0.0.1", "a");
    assertThat(without.missing(world.now().ipam(), world.ipam().snapshot()))
        .as("what is restored counts")
        .isEmpty();
  }

  @Test
  @DisplayName("A43 A subnet of one address has no gateway")
  void subnetOfOne() {
    NodeResource node = CrdWorld.sample("10.0.0.1").build();
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>();
    node.eniStatus()
        .orElseThrow()
        .enis()
        .forEach((id, eni) -> enis.put(id, inSubnet(eni, Cidr.parse("10.0.0.1/32"))));
    InterfaceCatalog catalog =
        InterfaceCatalog.of(CrdMode.ENI, node.withEniStatus(new EniStatus(enis)), List.of());
    assertThat(catalog.find("eni-1", IpFamily.IPV4).orElseThrow().gateway()).isEmpty();
  }

  private static EniStatus.Eni inSubnet(EniStatus.Eni eni, Cidr subnet) {
    return new EniStatus.Eni(
        eni.id(),
        eni.ip(),
        eni.mac(),
        eni.availabilityZone(),
        eni.description(),
        eni.number(),
        new EniStatus.SubnetRef("subnet-1", Optional.of(subnet)),
        eni.vpc(),
        eni.addresses(),
        eni.prefixes(),
        eni.ipv6Prefixes(),
        eni.publicIp(),
        eni.securityGroups(),
        eni.tags());
  }

  @Test
  @DisplayName("A41 A19 A pair whose reserved address is in use takes nothing of the other family")
  void reservedInPair() {
    world.mode = CrdMode.CRD;
    world.families = EnumSet.allOf(IpFamily.class);
    world.cooling = new CoolingRule(Duration.ofHours(1), Duration.ZERO);
    NodeResource node =
        Samples.node(CrdWorld.NODE).pool("", "10.0.0.1", "10.0.0.2", "f00d::1").build();
    world.object(CrdStory.reserved(node, "10.0.0.2", "team/db"));
    world.start();
    assertThat(world.next("team/db").ip()).hasToString("10.0.0.2");
    assertThat(world.ipam().allocateNextPair("team/db", CrdWorld.POOL, UpstreamSync.NOW))
        .isEqualTo(
            new Allocation.Denied(Denial.alreadyAllocated(IpAddress.parse("10.0.0.2"), "team/db")));
    assertThat(world.ipam().snapshot().stream().mapToInt(each -> each.counts().used()).sum())
        .isEqualTo(1);
  }
}
