package io.tidemark.agent.crd;

import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AddressCounts;
import io.tidemark.agent.AgentError;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Addresses of the pool in a node's object")
class CrdAddressesTest {
  private final CrdWorld world = new CrdWorld();

  /** The object with an owner at an address of its pool. */
  private static NodeResource reserved(NodeResource node, String ip, String owner) {
    String key = "\"" + ip + "\":{";
    String text = NodeResourceJson.print(node);
    assertThat(text).contains(key);
    String entry = key + "\"owner\":\"" + owner + "\",";
    return Samples.parsed(text.replace(key, entry).replace(",}", "}"));
  }

  private static NodeResource withPool(NodeResource node, String id, String... ips) {
    Map<String, AddressSet> pool = new TreeMap<>(node.pool().byResource());
    pool.put(id, AddressSet.copyOf(List.of(ips).stream().map(IpAddress::parse).toList()));
    SortedMap<String, EniStatus.Eni> enis =
        new TreeMap<>(node.eniStatus().map(EniStatus::enis).orElse(new TreeMap<>()));
    if (enis.containsKey(id)) {
      enis.put(id, Samples.eni(id, enis.get(id).number(), ips));
    }
    return node.withPool(PodIpPool.of(pool)).withEniStatus(new EniStatus(enis));
  }

  @Test
  @DisplayName("Each address is handed out once, the longest unused first, and given back")
  void each() {
    world.object(CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.9").build());
    world.start();
    List<String> first =
        List.of("a", "b", "c", "d").stream().map(it -> world.next(it).ip().toString()).toList();
    assertThat(first).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.9");
    assertThat(world.refusedNext().detail())
        .isEqualTo("no IPv4 address of pool default is free: 4 in use, 0 cooling");
    assertThat(world.refused("10.0.0.1").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    assertThat(world.refused("10.0.0.4"))
        .isEqualTo(Denial.notAvailableInPool(IpAddress.parse("10.0.0.4")));
    world.release("10.0.0.9");
    assertThat(world.next("e").ip()).hasToString("10.0.0.9");
    assertThat(world.pool().status()).isEqualTo("4/4 allocated from the pool of node worker-a");
  }

  @Test
  @DisplayName(
      "What is in use stays so when it leaves the pool, and is published with its interface")
  void leftThePool() {
    world.object(CrdWorld.sample("10.0.0.1", "10.0.0.2").build());
    world.start("10.0.0.1");
    world.pass(CrdWorld.RATE);
    world.edit(node -> withPool(node, "eni-1", "10.0.0.2"));
    world.pass(CrdWorld.RATE);
    assertThat(world.used()).containsEntry("10.0.0.1", new UsedAddress("pod-10.0.0.1", "eni-1"));
    assertThat(world.refused("10.0.0.1").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    assertThat(world.next("b").ip()).hasToString("10.0.0.2");
    world.release("10.0.0.1");
    world.edit(node -> withPool(node, "eni-1", "10.0.0.1", "10.0.0.2"));
    assertThat(world.next("c").ip()).hasToString("10.0.0.1");
  }

  @Test
  @DisplayName("A40 Handed out are addresses of the family that nobody reserved; mapped ones never")
  void skipped() {
    NodeResource node =
        CrdWorld.sample("10.0.0.1", "10.0.0.2", "f00d::1", "::ffff:10.0.0.9")
            .releaseIp("10.0.0.3", HandshakeState.MARKED_FOR_RELEASE)
            .build();
    world.object(reserved(node, "10.0.0.1", "somebody"));
    world.start();
    assertThat(world.next("a").ip()).hasToString("10.0.0.2");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    assertThat(world.refused("10.0.0.9").code()).isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    assertThat(world.pool().counts()).isEqualTo(new AddressCounts(0, 1, 0, 0, 1));
  }

  @Test
  @DisplayName("A41 In mode crd an owner gets the address reserved for it, once, and nobody else")
  void reservedForOwner() {
    world.mode = CrdMode.CRD;
    NodeResource node = Samples.node(CrdWorld.NODE).pool("", "10.0.0.1", "10.0.0.2").build();
    world.object(reserved(node, "10.0.0.2", "team/db"));
    world.start();
    assertThat(world.refused("10.0.0.2"))
        .isEqualTo(Denial.excluded(IpAddress.parse("10.0.0.2"), CrdWorld.POOL, "team/db"));
    assertThat(world.next("team/db").ip()).hasToString("10.0.0.2");
    assertThat(world.refusedNext("team/db"))
        .isEqualTo(Denial.alreadyAllocated(IpAddress.parse("10.0.0.2"), "team/db"));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
    world.release("10.0.0.2");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    assertThat(world.take("10.0.0.2", "team/db").details()).isEmpty();
  }

  @Test
  @DisplayName("A81 A reservation survives events, and comes and goes with the object")
  void reservationChanges() {
    world.object(reserved(CrdWorld.sample("10.0.0.1", "10.0.0.2").build(), "10.0.0.1", "somebody"));
    world.start();
    world.edit(node -> withPool(node, "eni-1", "10.0.0.1", "10.0.0.2", "10.0.0.3"));
    assertThat(world.now().pool().reserved()).hasSize(1);
    assertThat(world.refused("10.0.0.1").code()).isEqualTo(AgentError.EXCLUDED);
    world.edit(node -> withPool(node, "eni-1", "10.0.0.2"));
    world.edit(node -> withPool(node, "eni-1", "10.0.0.1"));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
  }

  @Test
  @DisplayName("A42 An address whose interface is not in the status stays free, and is had later")
  void interfaceLater() {
    world.object(CrdWorld.sample("10.0.0.1").build());
    world.start();
    world.edit(node -> withPool(node, "eni-2", "10.0.0.2"));
    assertThat(world.refused("10.0.0.2"))
        .isEqualTo(Denial.interfaceUnknown(IpAddress.parse("10.0.0.2"), "eni-2"));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.INTERFACE_UNKNOWN);
    assertThat(world.refusedNext().retryable()).isTrue();
    world.edit(
        node -> {
          Map<String, EniStatus.Eni> enis = new TreeMap<>(node.eniStatus().orElseThrow().enis());
          enis.put("eni-2", Samples.eni("eni-2", 2, "10.0.0.2"));
          return node.withEniStatus(new EniStatus(new TreeMap<>(enis)));
        });
    assertThat(world.next("b").details().orElseThrow().number()).isEqualTo("2");
  }

  @Test
  @DisplayName("A83 An address of an interface that is not on this machine stays free until it is")
  void notHere() {
    world.absent.add("eni-1");
    world.object(CrdWorld.sample("10.0.0.1").build());
    world.start();
    assertThat(world.refused("10.0.0.1").code()).isEqualTo(AgentError.INTERFACE_UNKNOWN);
    assertThat(world.refusedNext())
        .isEqualTo(Denial.interfaceUnknown(IpAddress.parse("10.0.0.1"), "eni-1"));
    assertThat(world.pool().counts()).isEqualTo(new AddressCounts(0, 0, 0, 0, 1));
    world.absent.clear();
    world.pass(Duration.ofSeconds(6));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
  }

  @Test
  @DisplayName("A83 So does one of mode crd, where the pool names its interface")
  void notHereInModeCrd() {
    world.mode = CrdMode.CRD;
    world.absent.add("eni-1");
    world.object(CrdWorld.sample("10.0.0.1").build().withEniStatus(new EniStatus(new TreeMap<>())));
    world.start();
    assertThat(world.refusedNext())
        .isEqualTo(Denial.interfaceUnknown(IpAddress.parse("10.0.0.1"), "eni-1"));
    world.absent.clear();
    world.pass(Duration.ofSeconds(6));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
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
  @DisplayName("A47 Without an object nothing is allocated; what is allocated stays, and goes on")
  void deleted() {
    world.cooling = new CoolingRule(Duration.ofSeconds(130), Duration.ZERO);
    NodeResource node = CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.3").build();
    world.begin();
    assertThat(world.refusedNext()).isEqualTo(Denial.nodeUnavailable(CrdWorld.NODE));
    assertThat(world.refused("10.0.0.1")).isEqualTo(Denial.nodeUnavailable(CrdWorld.NODE));
    world.object(node);
    world.finish();
    String a = world.next("a").ip().toString();
    world.release(world.next("b").ip().toString());
    world.server.delete(CrdWorld.NODE);
    world.pass(Duration.ofSeconds(1));
    assertThat(world.refusedNext()).isEqualTo(Denial.nodeUnavailable(CrdWorld.NODE));
    assertThat(world.refused(a).code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    world.release(a);
    world.object(node);
    assertThat(world.pool().counts()).isEqualTo(new AddressCounts(1, 0, 2, 0));
    assertThat(world.next("c").ip().toString()).isNotEqualTo(a);
  }

  @Test
  @DisplayName("A84 The object of another instance of the same name counts as none")
  void otherInstance() {
    world.instance = Optional.of("i-2");
    world.object(
        CrdWorld.sample("10.0.0.1")
            .releaseIp("10.0.0.1", HandshakeState.MARKED_FOR_RELEASE)
            .build());
    world.start();
    assertThat(world.refusedNext().code()).isEqualTo(AgentError.NODE_UNAVAILABLE);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.writes()).isZero();
    world.edit(node -> node.withInstanceId("i-2").withReleaseIps(Map.of()));
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
    world.pass(CrdWorld.RATE);
    assertThat(world.used()).containsKey("10.0.0.1");
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
  @DisplayName("A41 The lowest address of the pool can be reserved as well")
  void reservedLowest() {
    world.mode = CrdMode.CRD;
    NodeResource node = Samples.node(CrdWorld.NODE).pool("", "10.0.0.1", "10.0.0.2").build();
    world.object(reserved(node, "10.0.0.1", "team/db"));
    world.start();
    assertThat(world.next("a").ip()).hasToString("10.0.0.2");
    assertThat(world.refusedNext("b").code()).isEqualTo(AgentError.EXHAUSTED);
    assertThat(world.ipam().unable()).isPresent();
    assertThat(world.next("team/db").ip()).hasToString("10.0.0.1");
  }

  @Test
  @DisplayName("A40 Each family has its own addresses of a pool of both, and no mapped ones")
  void bothFamilies() {
    world.families = EnumSet.allOf(IpFamily.class);
    world.object(CrdWorld.sample("10.0.0.1", "f00d::1", "f00d::2", "::ffff:10.0.0.9").build());
    world.start();
    List<AddressCounts> counts =
        world.ipam().snapshot().stream().map(each -> each.counts()).toList();
    assertThat(counts)
        .containsExactlyInAnyOrder(
            new AddressCounts(1, 0, 0, 0, 0), new AddressCounts(2, 0, 0, 0, 0));
    for (String owner : List.of("a", "b")) {
      Allocation next =
          world.ipam().allocateNext(IpFamily.IPV6, owner, CrdWorld.POOL, UpstreamSync.NOW);
      assertThat(granted(next).ip().family()).isEqualTo(IpFamily.IPV6);
    }
    assertThat(world.next("a").ip()).hasToString("10.0.0.1");
  }

  @Test
  @DisplayName("Handing out goes on behind the address before when the pool changes")
  void goesOn() {
    world.object(CrdWorld.sample("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4").build());
    world.start();
    IpAddress first = world.next("a").ip();
    world.edit(
        node ->
            withPool(node, "eni-1", "10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"));
    world.release(first.toString());
    List<IpAddress> order = new ArrayList<>();
    for (String owner : List.of("b", "c", "d", "e", "f")) {
      order.add(world.next(owner).ip());
    }
    assertThat(order.get(4)).as("the one used a moment ago is the last").isEqualTo(first);
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
    world.object(reserved(node, "10.0.0.2", "team/db"));
    world.start();
    assertThat(world.next("team/db").ip()).hasToString("10.0.0.2");
    assertThat(world.ipam().allocateNextPair("team/db", CrdWorld.POOL, UpstreamSync.NOW))
        .isEqualTo(
            new Allocation.Denied(Denial.alreadyAllocated(IpAddress.parse("10.0.0.2"), "team/db")));
    assertThat(world.ipam().snapshot().stream().mapToInt(each -> each.counts().used()).sum())
        .isEqualTo(1);
  }
}
