package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.testing.Samples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A node resource as JSON")
class NodeResourceJsonTest {
  private static final String FOREIGN =
      TestResources.text("/resource/foreign-fields.json")
          .replaceAll("\\n *", "")
          .replace("\\u00e9", "\u00e9");
  private static final NodeResource NODE = TestResources.parse(FOREIGN);

  @Test
  @DisplayName("N5 read and printed again it has the same keys, order, literals and strings")
  void roundTrip() {
    assertThat(NodeResourceJson.print(NODE)).isEqualTo(FOREIGN);
  }

  @Test
  @DisplayName("the node's own blocks are read in their order, as they are written")
  void podCidrs() {
    assertThat(NODE.podCidrs()).containsExactly("10.9.0.0/24");
    assertThat(NodeResource.named("n").podCidrs()).isEmpty();
  }

  @Test
  @DisplayName("the operator's error is read where it has one")
  void operatorError() {
    String status = "{'ipam':{'operator-status':%s}}";
    assertThat(TestResources.node("{}", status.formatted("{'error':'no subnet'}")).operatorError())
        .contains("no subnet");
    for (String none : new String[] {"{}", "{'error':''}", "{'error':7}", "[]", "null"}) {
      assertThat(TestResources.node("{}", status.formatted(none)).operatorError()).isEmpty();
    }
  }

  @Test
  @DisplayName("NC-AM27 CIDRs are written behind what is read, which stays as it is written")
  void writesPodCidrs() {
    NodeResource node =
        TestResources.node("{'ipam':{'later':1.10,'podCIDRs':['010.9.0.7/24']},'more':{}}", "{}");
    List<String> both = List.of("010.9.0.7/24", "fd00::/112");
    assertThat(NodeResourceJson.print(node.withPodCidrs(both)))
        .isEqualTo(NodeResourceJson.print(node).replace("/24\"", "/24\",\"fd00::/112\""));
    assertThat(node.withPodCidrs(node.podCidrs())).isSameAs(node);
    assertThat(node.withPodCidrs(List.of()).podCidrs()).isEmpty();
    assertThat(node.sameSpec(node.withPodCidrs(List.of("10.9.0.0/24")))).isFalse();
  }

  @Test
  @DisplayName("NC-AM27 the operator's error is set and removed, and the fields around it stay")
  void writesOperatorError() {
    NodeResource node =
        TestResources.node("{}", "{'ipam':{'operator-status':{'later':1.10}},'more':[2]}");
    NodeResource full = node.withOperatorError("allocator full");
    assertThat(NodeResourceJson.print(full))
        .isEqualTo(
            NodeResourceJson.print(node)
                .replace("\"later", "\"error\":\"allocator full\",\"later"));
    assertThat(full.withOperatorError("allocator full")).isSameAs(full);
    assertThat(full.withOperatorError("")).isEqualTo(node);
    assertThat(node.withOperatorError("")).isSameAs(node);
    assertThat(NodeResource.named("n").withOperatorError("x").operatorError()).contains("x");
  }

  @Test
  @DisplayName("the time of creation is read where there is one")
  void created() {
    String object =
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','spec':{},'metadata':{'name':'n'%s}}"
            .replace('\'', '"');
    String stamp = ",\"creationTimestamp\":\"%s\"";
    assertThat(
            TestResources.parse(object.formatted(stamp.formatted("2026-01-02T03:04:05Z")))
                .created())
        .contains(Instant.parse("2026-01-02T03:04:05Z"));
    for (String none : new String[] {"", stamp.formatted("soon"), stamp.formatted("")}) {
      assertThat(TestResources.parse(object.formatted(none)).created()).isEmpty();
    }
  }

  @Test
  @DisplayName("A40 A81 a reservation is read, and stays while its address does")
  void reserved() {
    String pool =
        "{'10.0.0.1':{'resource':'a'},'10.0.0.2':{'owner':'x/y','resource':'a','later':1},"
            + "'f00d::1':{'owner':'z'},'10.0.0.3':{'owner':''}}";
    NodeResource node = TestResources.node("{'ipam':{'pool':" + pool + "}}", "{}");
    IpAddress two = IpAddress.parse("10.0.0.2");
    IpAddress six = IpAddress.parse("f00d::1");
    assertThat(node.pool().reserved()).isEqualTo(Map.of(two, "x/y", six, "z"));
    NodeResource same = node.withPool(PodIpPool.of(node.pool().byResource()));
    assertThat(same).isSameAs(node);
    PodIpPool fewer = PodIpPool.of(Map.of("b", AddressSet.of(two, IpAddress.parse("10.0.0.9"))));
    NodeResource after = node.withPool(fewer);
    assertThat(after.pool().reserved()).isEqualTo(Map.of(two, "x/y"));
    assertThat(NodeResourceJson.print(after))
        .contains(
            "{'10.0.0.2':{'owner':'x/y','resource':'b','later':1},'10.0.0.9':{'resource':'b'}}"
                .replace('\'', '"'));
    assertThat(TestResources.parse(NodeResourceJson.print(after)).pool()).isEqualTo(after.pool());
    assertThat(after.withPool(PodIpPool.EMPTY).pool().reserved()).isEmpty();
    assertThat(node.operatorHash())
        .as("a reservation is not the operator's")
        .isEqualTo(
            TestResources.node("{'ipam':{'pool':" + pool.replace("'owner':'x/y',", "") + "}}", "{}")
                .operatorHash());
  }

  /** One write of the operator or the agent, and the only text that it may change. */
  private record Write(String name, NodeResource after, String from, String to) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Write> writes() {
    return Stream.of(
        new Write(
            "pre-allocate", NODE.withPreAllocate(12), "'pre-allocate':8", "'pre-allocate':12"),
        new Write(
            "pool, an entry gone, one moved, one new",
            NODE.withPool(
                PodIpPool.of(
                    Map.of("eni-a", set("10.0.0.7"), "eni-b", set("10.0.0.5", "10.0.0.9")))),
            "{'10.0.0.9':{'resource':'eni-b'},'10.0.0.5':{'resource':'eni-a','hint':[1]},"
                + "'10.0.0.6':{'resource':'eni-a'}}",
            "{'10.0.0.5':{'resource':'eni-b','hint':[1]},'10.0.0.7':{'resource':'eni-a'},"
                + "'10.0.0.9':{'resource':'eni-b'}}"),
        new Write(
            "marks",
            NODE.withReleaseIps(
                Map.of(
                    IpAddress.parse("10.0.0.10"), HandshakeState.MARKED_FOR_RELEASE,
                    IpAddress.parse("10.0.0.9"), HandshakeState.RELEASED)),
            "{'10.0.0.9':'ready-for-release'}",
            "{'10.0.0.9':'released','10.0.0.10':'marked-for-release'}"),
        new Write(
            "no marks",
            NODE.withReleaseIps(Map.of()),
            "'release-ips':{'10.0.0.9':'ready-for-release'},",
            ""),
        new Write(
            "static address",
            NODE.withAssignedStaticIp(IpAddress.parse("203.0.113.9")),
            "'pod-cidrs':{'10.9.0.0/24':{'status':'in-use'}}}",
            "'pod-cidrs':{'10.9.0.0/24':{'status':'in-use'}},'assigned-static-ip':'203.0.113.9'}"),
        new Write(
            "interfaces",
            NODE.withEniStatus(oneInterfaceMore()),
            "'addresses':['10.0.0.9'],'branch':'x'}}",
            "'addresses':['10.0.0.9','10.0.0.11'],'branch':'x'},"
                + "'eni-c':{'addresses':['10.0.0.12'],'availability-zone':'zone-a',"
                + "'description':'interface 2','id':'eni-c','ip':'10.0.255.12',"
                + "'mac':'02:00:00:00:00:02','number':2,'security-groups':['sg-a'],"
                + "'subnet':{'cidr':'10.0.0.0/16','id':'subnet-a'},"
                + "'vpc':{'id':'vpc-a','primary-cidr':'10.0.0.0/16'}}}"),
        new Write("version", NODE.withResourceVersion("42"), "'41'", "'42'"),
        new Write("instance", NODE.withInstanceId("i-0b"), "'i-0a'", "'i-0b'"),
        new Write(
            "usage",
            NODE.withUsed(Map.of(IpAddress.parse("10.0.0.9"), new UsedAddress("a/b", "eni-b"))),
            "{'10.0.0.5':{'owner':'default/web-1','resource':'eni-a'},"
                + "'10.0.0.6':{'owner':'router','resource':'eni-a','since':12.0}}",
            "{'10.0.0.9':{'owner':'a/b','resource':'eni-b'}}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("writes")
  @DisplayName("F-17 NM-J1 a write changes what it owns and no other byte")
  void ownedAlone(Write write) {
    String from = write.from().replace('\'', '"');
    assertThat(FOREIGN).containsOnlyOnce(from);
    assertThat(NodeResourceJson.print(write.after()))
        .isEqualTo(FOREIGN.replace(from, write.to().replace('\'', '"')));
  }

  @Test
  @DisplayName("NM-J2 empty objects are read as absent, and zero and empty values are not written")
  void zeroValues() {
    NodeResource empty =
        TestResources.node(
            "{'eni':{},'azure':{},'alibaba-cloud':{},'ipam':{'pools':{}}}",
            "{'eni':{},'azure':{},'alibaba-cloud':{},'ipam':{'operator-status':{}}}");
    assertThat(empty.eniSpec()).isEmpty();
    assertThat(empty.eniStatus()).isEmpty();
    assertThat(empty.cloudSections()).isEmpty();
    assertThat(empty.pool().isEmpty()).isTrue();
    assertThat(empty.ipam()).isEqualTo(IpamSpec.of(0, 0, 0, 0));

    NodeResource written =
        Samples.node("n")
            .preAllocate(8)
            .pool("eni-a", "10.0.0.10", "10.0.0.9")
            .eni(Samples.eni("eni-a", 0, "10.0.0.9"))
            .build();
    assertThat(NodeResourceJson.print(written).replace('"', '\''))
        .isEqualTo(
            "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'n'},'spec':"
                + "{'ipam':{'pool':{'10.0.0.9':{'resource':'eni-a'},"
                + "'10.0.0.10':{'resource':'eni-a'}},'pre-allocate':8}},"
                + "'status':{'eni':{'enis':{'eni-a':{'addresses':['10.0.0.9'],"
                + "'availability-zone':'zone-a','description':'interface 0','id':'eni-a',"
                + "'ip':'10.0.255.10','mac':'02:00:00:00:00:00','security-groups':['sg-a'],"
                + "'subnet':{'cidr':'10.0.0.0/16','id':'subnet-a'},"
                + "'vpc':{'id':'vpc-a','primary-cidr':'10.0.0.0/16'}}}}}}");
  }

  @Test
  @DisplayName("NM-J3 an Azure interface keeps GatewayIP and gateway, even when they are empty")
  void azureStays() {
    String azure =
        "{'interfaces':[{'id':'nic-1','GatewayIP':'','gateway':'','addresses':[{'ip':'10.1.0.4'}]}]}";
    NodeResource node = TestResources.node("{}", "{'azure':" + azure + "}");
    NodeResource written =
        node.withReleaseIps(Map.of(IpAddress.parse("10.1.0.4"), HandshakeState.MARKED_FOR_RELEASE))
            .withPool(PodIpPool.of(Map.of("nic-1", set("10.1.0.4"))));
    assertThat(NodeResourceJson.print(written)).contains(azure.replace('\'', '"'));
    assertThat(written.cloudSections()).containsExactly("azure");
  }

  @Test
  @DisplayName("NM-J5 a pool that became empty stays present, an absent pool stays absent")
  void emptyPool() {
    NodeResource shrunk =
        TestResources.node("{'ipam':{'pool':{'10.0.0.1':{'resource':'eni-a'}}}}", "{}")
            .withPool(PodIpPool.EMPTY);
    assertThat(NodeResourceJson.print(shrunk)).contains("\"ipam\":{\"pool\":{}}");
    NodeResource without = TestResources.node("{'ipam':{}}", "{}");
    assertThat(without.withPool(PodIpPool.EMPTY)).isSameAs(without);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                  |    |       | ",
        "{'first-interface-index':0,'use-primary-address':false} | 0 | false | ",
        "{'first-interface-index':1,'disable-prefix-delegation':true} | 1 | | true",
        "{'first-interface-index':null,'use-primary-address':null}    |   | | "
      })
  @DisplayName("NM-J6 three-state values tell absent from false and zero")
  void threeStates(String eni, Integer index, Boolean primary, Boolean noPrefixes) {
    EniSpec spec = TestResources.node("{'eni':" + eni + "}", "{}").eniSpec().orElse(EniSpec.EMPTY);
    assertThat(spec.firstInterfaceIndex())
        .isEqualTo(index == null ? OptionalInt.empty() : OptionalInt.of(index));
    assertThat(spec.usePrimaryAddress()).isEqualTo(Optional.ofNullable(primary));
    assertThat(spec.disablePrefixDelegation()).isEqualTo(Optional.ofNullable(noPrefixes));
    NodeResource written = NodeResource.named("n").withEniSpec(spec);
    assertThat(TestResources.parse(NodeResourceJson.print(written)).eniSpec())
        .isEqualTo(spec.equals(EniSpec.EMPTY) ? Optional.empty() : Optional.of(spec));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'pool':'default','needed':{'ipv4-addrs':24}}]                 | 24 | 0",
        "[{'pool':'default','needed':{'ipv6-addrs':48}}]                 | 0  | 48",
        "[{'pool':'default','needed':{'ipv4-addrs':24,'ipv6-addrs':48}}] | 24 | 48",
        "[]                                                              |    |",
        "[{'pool':'other-pool','needed':{'ipv4-addrs':24}}]              |    |",
        "[{'pool':'default','needed':{'ipv4-addrs':0,'ipv6-addrs':0}}]   | 0  | 0",
      })
  @DisplayName("C-5 the demand on pool default is read")
  void requestedDemand(String requested, Integer ipv4, Integer ipv6) {
    NodeResource node =
        TestResources.node("{'ipam':{'pools':{'requested':" + requested + "}}}", "{}");
    assertThat(node.ipam().requested())
        .isEqualTo(ipv4 == null ? Optional.empty() : Optional.of(new AddressDemand(ipv4, ipv6)));
  }

  @Test
  @DisplayName("the CIDRs of all pools are read, and a change of them leaves the entries in order")
  void allocatedCidrs() {
    NodeResource node =
        TestResources.node(
            "{'ipam':{'pools':{'allocated':[{'pool':'a','cidrs':['10.0.0.0/28'],'allowFirstIP':true},"
                + "{'pool':'default','cidrs':['10.0.1.1/32','10.0.1.2/32']}]}}}",
            "{}");
    assertThat(node.ipam().allocatedCidrs())
        .isEqualTo(cidrs("10.0.0.0/28", "10.0.1.1/32", "10.0.1.2/32"));

    NodeResource changed =
        node.withIpam(
            Samples.node("n")
                .requested(3, 0)
                .allocated("10.0.1.2/32", "10.0.2.0/28")
                .build()
                .ipam());
    assertThat(NodeResourceJson.print(changed).replace('"', '\''))
        .contains(
            "{'allocated':[{'pool':'a','allowFirstIP':true},"
                + "{'pool':'default','cidrs':['10.0.1.2/32','10.0.2.0/28']}],"
                + "'requested':[{'needed':{'ipv4-addrs':3,'ipv6-addrs':0},'pool':'default'}]}");
  }

  @Test
  @DisplayName("the views read what the object says")
  void views() {
    assertThat(NODE.name()).isEqualTo("node-a");
    assertThat(NODE.uid()).contains("11111111-2222-3333-4444-555555555555");
    assertThat(NODE.resourceVersion()).isEqualTo("41");
    assertThat(NODE.ignored()).isFalse();
    assertThat(NODE.beingDeleted()).isFalse();
    assertThat(NODE.instanceId()).contains("i-0a");
    assertThat(NODE.ipam()).isEqualTo(IpamSpec.of(8, 0, 0, 0));
    assertThat(NODE.pool())
        .isEqualTo(
            PodIpPool.of(Map.of("eni-a", set("10.0.0.5", "10.0.0.6"), "eni-b", set("10.0.0.9"))));
    assertThat(NODE.used()).isEqualTo(set("10.0.0.5", "10.0.0.6"));
    assertThat(NODE.usedEntries())
        .containsEntry(IpAddress.parse("10.0.0.6"), new UsedAddress("router", "eni-a"));
    assertThat(NODE.releaseIps())
        .containsOnly(Map.entry(IpAddress.parse("10.0.0.9"), HandshakeState.READY_FOR_RELEASE));
    assertThat(NODE.assignedStaticIp()).isEmpty();
    assertThat(NODE.cloudSections()).containsExactly("eni");
    assertThat(NODE.eniSpec().orElseThrow().instanceType()).isEqualTo("m5.large");
    Eni eni = eni("eni-a");
    assertThat(eni.addresses())
        .containsExactly(IpAddress.parse("10.0.0.6"), IpAddress.parse("10.0.0.5"));
    assertThat(eni.vpc().primaryCidr()).contains(Cidr.parse("10.0.0.0/16"));
    assertThat(NODE.toString()).isEqualTo("CiliumNode node-a@41");
  }

  @Test
  @DisplayName("metadata tells an ignored object and one that is being deleted")
  void metadata() {
    String text =
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'n',"
            + "'annotations':{'ipam.cilium.io/ignore':'True'},"
            + "'deletionTimestamp':'2026-01-01T00:00:00Z'},'spec':{'eni':{'instance-id':'i-old'}}}";
    NodeResource node = TestResources.parse(text.replace('\'', '"'));
    assertThat(node.ignored()).isTrue();
    assertThat(node.beingDeleted()).isTrue();
    assertThat(node.instanceId()).contains("i-old");
    assertThat(node.withInstanceId("i-new").instanceId()).contains("i-new");
  }

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                            | {}                                | ''",
        "{'eni':{'vpc-id':'v'}}        | {}                                | eni",
        "{'eni':{'vpc-id':''}}         | {'eni':{'enis':{}}}               | ''",
        "{}                            | {'eni':{'enis':{'e':{}}}}         | eni",
        "{'azure':{'interface-name':'eth0'}} | {'eni':{'enis':{'e':{}}}}   | azure,eni",
        "{'alibaba-cloud':{'a':1}}     | {'azure':{'b':2}}                 | alibaba-cloud,azure",
        "{'eni':{'vpc-id':'v'}}        | {'alibaba-cloud':{'a':1}}         | alibaba-cloud,eni"
      })
  @DisplayName("the clouds with a section in spec or status are known")
  void clouds(String spec, String status, String clouds) {
    NodeResource node = TestResources.node(spec, status);
    assertThat(String.join(",", node.cloudSections())).isEqualTo(clouds);
  }

  @Test
  @DisplayName("only a write of the pool or of a cloud's section changes the operator's hash")
  void operatorHash() {
    int hash = NODE.operatorHash();
    IpAddress address = IpAddress.parse("10.0.0.99");
    assertThat(NODE.withUsed(Map.of(address, new UsedAddress("a", "b"))).operatorHash())
        .isEqualTo(hash);
    assertThat(NODE.withReleaseIps(Map.of()).operatorHash()).isEqualTo(hash);
    assertThat(NODE.withAssignedStaticIp(address).operatorHash()).isEqualTo(hash);
    assertThat(NODE.withPreAllocate(99).operatorHash()).isEqualTo(hash);
    assertThat(NODE.withPool(PodIpPool.EMPTY).operatorHash()).isNotEqualTo(hash);
    assertThat(NODE.withEniStatus(oneInterfaceMore()).operatorHash()).isNotEqualTo(hash);
    assertThat(NODE.withEniStatus(new EniStatus(new TreeMap<>())).operatorHash())
        .isNotEqualTo(hash);
    for (String cloud : List.of("eni", "azure", "alibaba-cloud")) {
      NodeResource one = TestResources.node("{}", "{'" + cloud + "':{'a':1}}");
      NodeResource two = TestResources.node("{}", "{'" + cloud + "':{'a':2}}");
      assertThat(one.operatorHash()).as(cloud).isNotEqualTo(two.operatorHash());
    }
    assertThat(TestResources.node("{}", "{'azure':{'a':1}}").operatorHash())
        .isNotEqualTo(TestResources.node("{}", "{'alibaba-cloud':{'a':1}}").operatorHash());
  }

  @Test
  @DisplayName("views that a write does not touch are not read again")
  void viewsKept() {
    NodeResource node = TestResources.parse(FOREIGN);
    NodeResource spec = node.withPreAllocate(99);
    assertThat(spec.pool()).isEqualTo(node.pool());
    PodIpPool pool = node.pool();
    IpamSpec ipam = node.ipam();
    assertThat(node.pool()).isSameAs(pool);
    assertThat(node.withPreAllocate(99).pool()).isSameAs(pool);
    assertThat(node.withInstanceId("i-9").pool()).isSameAs(pool);
    assertThat(node.withPool(PodIpPool.EMPTY).ipam()).isSameAs(ipam);
    assertThat(node.withUsed(Map.of()).ipam()).isSameAs(ipam);
    AddressSet used = node.used();
    SortedMap<IpAddress, UsedAddress> entries = node.usedEntries();
    NodeResource unmarked = node.withReleaseIps(Map.of());
    assertThat(unmarked.used()).isSameAs(used);
    assertThat(unmarked.usedEntries()).isSameAs(entries);
    SortedMap<IpAddress, HandshakeState> marks = node.releaseIps();
    assertThat(node.withUsed(Map.of()).releaseIps()).isSameAs(marks);
    assertThat(node.releaseIps()).isSameAs(marks);
  }

  @Test
  @DisplayName(
      "an object is owned by what its metadata names, and is itself without managed fields")
  void owned() {
    assertThat(NODE.owned()).isTrue();
    NodeResource named = NodeResource.named("n");
    assertThat(named.owned()).isFalse();
    assertThat(named.uid()).isEmpty();
    assertThat(named.withoutManagedFields()).isSameAs(named);
    assertThat(named.hashCode()).isEqualTo(NodeResource.named("n").hashCode());
    assertThat(named.hashCode()).isNotEqualTo(NodeResource.named("m").hashCode());
    assertThat(named).isNotEqualTo(NodeResource.named("m"));
    assertThat(NodeResourceJson.print(named).replace('"', '\''))
        .isEqualTo(
            "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'n'},'spec':{}}");
  }

  @Test
  @DisplayName("blocks and demand are written to pool default, which is added when there is none")
  void defaultPool() {
    NodeResource node =
        TestResources.node(
            "{'ipam':{'pools':{'requested':[{'pool':'a'}],'allocated':[{'pool':'a','cidrs':['10.0.0.0/28']}]}}}",
            "{}");
    IpamSpec wanted =
        Samples.node("n")
            .requested(1, 2)
            .allocated("10.0.0.0/28", "10.0.2.0/28", "10.0.1.0/28")
            .build()
            .ipam();
    NodeResource written = node.withIpam(wanted);
    assertThat(NodeResourceJson.print(written).replace('"', '\''))
        .contains(
            "{'requested':[{'pool':'a'},"
                + "{'needed':{'ipv4-addrs':1,'ipv6-addrs':2},'pool':'default'}],"
                + "'allocated':[{'pool':'a','cidrs':['10.0.0.0/28']},"
                + "{'cidrs':['10.0.1.0/28','10.0.2.0/28'],'pool':'default'}]}");
    NodeResource back = written.withIpam(node.ipam());
    assertThat(NodeResourceJson.print(back).replace('"', '\''))
        .contains(
            "'requested':[{'pool':'a'}]",
            "{'pool':'a','cidrs':['10.0.0.0/28']},{'pool':'default'}");
    assertThat(
            NodeResourceJson.print(NodeResource.named("n").withIpam(wanted).withIpam(node.ipam())))
        .doesNotContain("requested");
  }

  @Test
  @DisplayName("a change that says the same answers the same object")
  void sameObject() {
    assertThat(NODE.withPool(NODE.pool())).isSameAs(NODE);
    assertThat(NODE.withIpam(NODE.ipam())).isSameAs(NODE);
    assertThat(NODE.withUsed(NODE.usedEntries())).isSameAs(NODE);
    assertThat(NODE.withReleaseIps(NODE.releaseIps())).isSameAs(NODE);
    assertThat(NODE.withEniStatus(NODE.eniStatus().orElseThrow())).isSameAs(NODE);
    assertThat(NODE.withEniSpec(NODE.eniSpec().orElseThrow())).isSameAs(NODE);
    assertThat(NODE.withPreAllocate(8)).isSameAs(NODE);
    assertThat(NODE.withResourceVersion("41")).isSameAs(NODE);
    assertThat(NODE.withInstanceId("i-0a")).isSameAs(NODE);
  }

  private static EniStatus oneInterfaceMore() {
    String longer = FOREIGN.replace("[\"10.0.0.9\"]", "[\"10.0.0.9\",\"10.0.0.11\"]");
    SortedMap<String, Eni> enis =
        new TreeMap<>(TestResources.parse(longer).eniStatus().orElseThrow().enis());
    enis.put("eni-c", Samples.eni("eni-c", 2, "10.0.0.12"));
    return new EniStatus(enis);
  }

  private static Eni eni(String id) {
    return Objects.requireNonNull(NODE.eniStatus().orElseThrow().enis().get(id));
  }

  private static AddressSet set(String... addresses) {
    AddressSet.Builder builder = AddressSet.builder();
    for (String each : addresses) {
      builder.add(IpAddress.parse(each));
    }
    return builder.build();
  }

  private static Set<Cidr> cidrs(String... texts) {
    return Stream.of(texts).map(Cidr::parse).collect(Collectors.toSet());
  }
}
