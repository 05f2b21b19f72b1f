package io.tidemark.daemon.ipamd.introspection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.PoolReconciler.Status;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.PoolPlan;
import io.tidemark.datastore.plan.PoolPlanner;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents of ipamd")
class IntrospectionTest {
  private static final PoolLimits LIMITS = PoolLimits.of(4, 3);
  private static final long START_MILLIS = Duration.ofDays(19_675).toMillis();

  private final VirtualTime time = new VirtualTime(START_MILLIS);
  private final DataStore first = DataStore.inMemory(time, CidrKind.PREFIX, CooldownRule.DEFAULT);

  private IpFamily family = IpFamily.IPV4;
  private Optional<DemandWatermarks> spare = Optional.empty();

  IntrospectionTest() {
    assertThat(first.addEni(new StoreEniSpec("eni-1", 0, true, false, false, 254, "subnet-1")))
        .isEmpty();
    assertThat(first.addCidr("eni-1", Cidr.parse("10.0.0.16/28"), CidrKind.PREFIX)).isEmpty();
    assertThat(first.addCidr("eni-1", Cidr.parse("2001:db8::/80"), CidrKind.PREFIX)).isEmpty();
    assertThat(first.addEni(new StoreEniSpec("eni-9", 1, false, true, true, 10_201, ""))).isEmpty();
    assertThat(first.addCidr("eni-9", Cidr.parse("10.0.1.5/32"), CidrKind.SECONDARY)).isEmpty();
    assertThat(first.exclude("eni-9", true)).isEmpty();
  }

  private static IpamKey key(String container) {
    return new IpamKey("aws-cni", container, "eth7");
  }

  private void assign(String container, IpamMetadata pod) {
    assertThat(
            first
                .assign(key(container), pod, IpFamily.IPV4)
                .toCompletableFuture()
                .getNow(new AssignOutcome.NoAddress(AssignOutcome.Reason.EMPTY)))
        .isInstanceOf(AssignOutcome.Granted.class);
  }

  private Map<String, Supplier<String>> documents(Optional<PoolPlan> plan) {
    return Introspection.documents(
        first,
        family,
        plan.isPresent() ? Optional.empty() : Optional.of("the interfaces are those of a file"),
        () -> plan.map(it -> new Status(it, true, Optional.empty(), LIMITS, true, spare)),
        Map.of("WARM_IP_TARGET", 5),
        new TreeMap<>(Map.of("CIDRS", List.of("10.0.0.0/8"), "EXTERNAL", true)));
  }

  private String text(String path) {
    return documents(Optional.empty()).getOrDefault(path, () -> "no such path").get();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  @Test
  @DisplayName("D118 D106 D130 /v1/enis has the members of the AWS VPC CNI, with blank containers")
  void enis() {
    assign("container-1", new IpamMetadata("default", "web", 1));
    assign("container-2", new IpamMetadata("default", "db", 1));
    time.runUntil(time.nanos() + Duration.ofSeconds(90).toNanos());
    assertThat(first.release(key("container-2")).toCompletableFuture().getNow(null))
        .isInstanceOf(StoreReleaseOutcome.Released.class);
    time.runUntil(time.nanos() + Duration.ofSeconds(5).toNanos());

    assertThat(text("/v1/enis"))
        .isEqualTo(
            json(
                "{'0':{'TotalIPs':281474976710673,'AssignedIPs':1,'ENIs':{'eni-1':{'ID':'eni-1',"
                    + "'IsPrimary':true,'IsTrunk':false,'IsEFA':false,'DeviceNumber':0,"
                    + "'AvailableIPv4Cidrs':{'10.0.0.16/28':{'Cidr':{'IP':'10.0.0.16',"
                    + "'Mask':'////8A=='},'IPAddresses':{'10.0.0.16':{'Address':'10.0.0.16',"
                    + "'IPAMKey':{'networkName':'aws-cni','containerID':'','ifName':''},"
                    + "'IPAMMetadata':{'k8sPodNamespace':'default','k8sPodName':'web',"
                    + "'interfacesCount':1},'AssignedTime':'2023-11-14T00:00:00Z',"
                    + "'UnassignedTime':'0001-01-01T00:00:00Z'},"
                    + "'10.0.0.17':{'Address':'10.0.0.17',"
                    + "'IPAMKey':{'networkName':'','containerID':'','ifName':''},"
                    + "'IPAMMetadata':{},'AssignedTime':'0001-01-01T00:00:00Z',"
                    + "'UnassignedTime':'2023-11-14T00:01:30Z'}},"
                    + "'IsPrefix':true,'AddressFamily':'4'}},"
                    + "'IPv6Cidrs':{'2001:db8::/80':{'Cidr':{'IP':'2001:db8::',"
                    + "'Mask':'/////////////wAAAAAAAA=='},'IPAddresses':{},"
                    + "'IsPrefix':true,'AddressFamily':'6'}},"
                    + "'IsExcludedForPodIPs':false,'RouteTableID':254,'SubnetID':'subnet-1'},"
                    + "'eni-9':{'ID':'eni-9',"
                    + "'IsPrimary':false,'IsTrunk':true,'IsEFA':true,'DeviceNumber':1,"
                    + "'AvailableIPv4Cidrs':{'10.0.1.5/32':{'Cidr':{'IP':'10.0.1.5',"
                    + "'Mask':'/////w=='},'IPAddresses':{},'IsPrefix':false,'AddressFamily':'4'}},"
                    + "'IPv6Cidrs':{},'IsExcludedForPodIPs':true,'RouteTableID':10201,"
                    + "'SubnetID':''}}}}"));
  }

  @Test
  @DisplayName("D130 No document names a container or the interface of a pod")
  void blank() {
    assign("container-1", new IpamMetadata("default", "web", 1));
    assertThat(text("/v1/enis")).contains("web");
    documents(Optional.empty())
        .forEach(
            (path, document) ->
                assertThat(document.get()).as(path).doesNotContain("container-1", "eth7"));
  }

  @Test
  @DisplayName("D118 The root lists the commands, and settings have the names of the AWS VPC CNI")
  void settings() {
    assertThat(text("/"))
        .isEqualTo(
            json(
                "{'AvailableCommands':['/v1/enis','/v1/networkutils-env-settings',"
                    + "'/v1/ipamd-env-settings','/v1/plan']}"));
    assertThat(text("/v1/ipamd-env-settings")).isEqualTo(json("{'WARM_IP_TARGET':5}"));
    assertThat(text("/v1/networkutils-env-settings"))
        .isEqualTo(json("{'CIDRS':['10.0.0.0/8'],'EXTERNAL':true}"));
  }

  @Test
  @DisplayName("D118 On interfaces of a file the plan says that the node never grows")
  void neverGrows() {
    assertThat(text("/v1/plan"))
        .isEqualTo(
            json(
                "{'family':'IPv4','grows':false,'reason':'the interfaces are those of a file',"
                    + "'cards':{'0':{'assignsFrom':'prefixes','interfaces':2,'total':16,"
                    + "'assigned':0,'cooling':0,'usable':16}}}"));
  }

  @Test
  @DisplayName("D45 D118 The plan has the numbers of the pods' family: a /80 has 2^48 addresses")
  void ipv6() {
    family = IpFamily.IPV6;
    assertThat(text("/v1/plan"))
        .startsWith(json("{'family':'IPv6','grows':false"))
        .contains(json("'total':281474976710656,'assigned':0,'cooling':0,'usable':"));
  }

  private JsonNode planned(int slots, int enis) throws IOException {
    WarmTargets targets = new WarmTargets(OptionalInt.of(20), OptionalInt.empty(), 0, 1);
    PoolLimits limits = PoolLimits.of(slots, enis);
    PoolPlan plan =
        PoolPlanner.plan(first.view(), targets, limits, Pending.NONE, 0, Profile.TIDEMARK);
    String text = documents(Optional.of(plan)).getOrDefault("/v1/plan", () -> "").get();
    return new ObjectMapper().readTree(text).at("/cards/0");
  }

  @Test
  @DisplayName("D118 A plan is that of the planner now")
  void planned() throws IOException {
    JsonNode more = planned(4, 3);
    assertThat(more.at("/short").asInt()).isEqualTo(1);
    assertThat(more.at("/over").asInt()).isZero();
    assertThat(more.at("/growth").toString())
        .isEqualTo(json("{'step':'more-on-interface','interface':'eni-1','count':1}"));
    assertThat(planned(1, 2).at("/growth").toString()).isEqualTo(json("{'step':'exhausted'}"));
  }

  @Test
  @DisplayName("With demand the plan shows the spare addresses that the node should have, and why")
  void demand() throws IOException {
    assertThat(planned(4, 3).has("spare")).isFalse();
    spare =
        Optional.of(
            new DemandWatermarks(
                3, 8, 20, Duration.ofMillis(1_250), DemandWatermarks.Basis.SPARE_MIN));
    assertThat(planned(4, 3).at("/spare").toString())
        .isEqualTo(
            json("{'low':3,'target':8,'high':20,'leadTimeSeconds':1.25,'basis':'spare-min'}"));
  }
}
