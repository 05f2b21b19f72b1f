package io.tidemark.metrics;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MicrometerIpamMetricsTest {
  /** All but that of an agent. */
  private static final int OPERATOR_TRIGGERS = Metric.TRIGGERS.size() - 1;

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Scrape scrape = new Scrape();
  private final MicrometerIpamMetrics metrics = new MicrometerIpamMetrics(scrape.registry);

  /** Names and labels as node-manager 7 lists them. */
  private static final String SECTION_7 =
      """
      available_ips                        gauge      {target_node="n1"} 8.0
      used_ips                             gauge      {target_node="n1"} 3.0
      needed_ips                           gauge      {target_node="n1"} 2.0
      node_spare_ips                       gauge      {target_node="n1"} 5.0
      node_pod_capacity                    gauge      {target_node="n1"} 27.0
      node_max_pods                        gauge      {target_node="n1"} 110.0
      second_owner                         gauge      {manager="other",target_node="n1"} 1.0
      used_ips_gone                        gauge      {target_node="n1"} 2.0
      offered_not_taken_ips                gauge      {target_node="n1"} 2.0
      ips                                  gauge      {type="used"} 30.0
      available_interfaces                 gauge       7.0
      interface_candidates                 gauge       4.0
      empty_interface_slots                gauge       3.0
      available_ips_per_subnet             gauge      {availability_zone="z1",subnet_id="s1"} 99.0
      nodes                                gauge      {category="in-deficit"} 6.0
      resync_total                         counter     2.0
      ip_allocation_ops                    gauge      {subnet_id="s1"} 30.0
      ip_release_ops                       gauge      {subnet_id="s1"} 5.0
      interface_creation_ops               gauge      {subnet_id="s1"} 1.0
      allocation_duration_seconds          histogram  _count{status="success",subnet_id="s1",type="allocateIP"} 1
      release_duration_seconds             histogram  _count{status="failed",subnet_id="s1",type="releaseIP"} 1
      background_sync_duration_seconds     histogram  _count{status="success"} 1
      release_handshake                    gauge      {state="marked-for-release"} 9.0
      handshake_aborted_total              counter    {reason="wanted-again"} 1.0
      sync_conflicts_total                 counter     1.0
      instances_api_ready                  gauge       1.0
      nodes_stuck                          gauge      {reason="TM-1203"} 2.0
      oldest_deficit_seconds               gauge       1.5
      cache_age_seconds                    gauge       60.0
      deficit_resolver_queued_total        counter     1.0
      deficit_resolver_folds               gauge       3.0
      deficit_resolver_duration_seconds    histogram  _sum 1.0
      deficit_resolver_latency_seconds     histogram  _sum 2.0
      k8s_sync_queued_total                counter     1.0
      k8s_sync_folds                       gauge       3.0
      k8s_sync_duration_seconds            histogram  _sum 1.0
      k8s_sync_latency_seconds             histogram  _sum 2.0
      resync_queued_total                  counter     1.0
      resync_folds                         gauge       3.0
      resync_duration_seconds              histogram  _sum 1.0
      resync_latency_seconds               histogram  _sum 2.0
      """;

  private void reportEverything() {
    metrics.node("n1", 8, 3, 2, 5);
    metrics.podCapacity("n1", 27, OptionalInt.of(110));
    metrics.secondOwner("n1", Optional.of("other"));
    metrics.usedAddressesGone("n1", 2);
    metrics.offeredNotTaken("n1", 2);
    metrics.allocatedIps("used", 30);
    metrics.availableInterfaces(7);
    metrics.interfaceCandidates(4);
    metrics.emptyInterfaceSlots(3);
    metrics.availableIpsPerSubnet("s1", "z1", 99);
    metrics.nodes("in-deficit", 6);
    metrics.resynced();
    metrics.resynced();
    metrics.addressesAllocated("s1", 10);
    metrics.addressesAllocated("s1", 20);
    metrics.addressesReleased("s1", 5);
    metrics.interfaceCreated("s1");
    metrics.allocationAttempt("allocateIP", "success", "s1", SECOND);
    metrics.releaseAttempt("releaseIP", "failed", "s1", SECOND);
    metrics.backgroundSync(true, SECOND);
    metrics.handshakes("marked-for-release", 9);
    metrics.handshakeAborted("wanted-again");
    metrics.syncConflict();
    metrics.instancesApiReady(false);
    metrics.instancesApiReady(true);
    metrics.nodesStuck("TM-1203", 2);
    metrics.oldestDeficit(Duration.ofMillis(1500));
    metrics.cacheAge(Duration.ofMinutes(1));
    for (TriggerMetrics each :
        List.of(metrics.poolMaintainer(), metrics.k8sSync(), metrics.resync())) {
      each.queued();
      each.ran(SECOND, Duration.ofSeconds(2), 3);
    }
  }

  @Test
  @DisplayName("node-manager 7: every name, type, label and value comes out of a scrape")
  void section7() {
    reportEverything();
    Map<String, String> types = new TreeMap<>();
    for (String line : SECTION_7.lines().toList()) {
      String name = MicrometerIpamMetrics.DEFAULT_PREFIX + line.substring(0, 36).strip();
      types.put(name, line.substring(37, 47).strip());
      String sample = name + line.substring(48);
      assertThat(scrape.samples(name)).contains(sample);
    }
    assertThat(scrape.types()).isEqualTo(types);
  }

  @Test
  @DisplayName("Every metric of the node manager that is listed is reported, and none beside")
  void complete() {
    reportEverything();
    int listed = 0;
    for (Metric metric : Metric.values()) {
      listed +=
          metric.name().matches("(API|ENI|AGENT|STORE|RPC|CIDRSET|NODE_CIDR|NODE_ID|WATCH)_.*")
              ? 0
              : metric.name().startsWith("TRIGGER_") ? OPERATOR_TRIGGERS : 1;
    }
    assertThat(scrape.types()).hasSize(listed);
  }

  @Test
  @DisplayName("F-18 what belongs to a node goes with it, and returns with it")
  void nodeGone() {
    metrics.node("n1", 8, 3, 2, 5);
    metrics.node("n2", 9, 3, 2, 6);
    metrics.node("n1", 10, 3, 2, 7);
    assertThat(scrape.samples("cilium_operator_ipam_available_ips{")).hasSize(2);
    metrics.nodeGone("n1");
    metrics.nodeGone("unknown");
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .filteredOn(line -> line.contains("target_node"))
        .hasSize(4)
        .allMatch(line -> line.contains("\"n2\""));
    metrics.node("n1", 1, 0, 0, 1);
    assertThat(scrape.samples("cilium_operator_ipam_available_ips{target_node=\"n1\"}"))
        .containsExactly("cilium_operator_ipam_available_ips{target_node=\"n1\"} 1.0");
  }

  @Test
  @DisplayName("Pods of a node and its kubelet: there while the kubelet is known")
  void podCapacity() {
    metrics.podCapacity("n1", 27, OptionalInt.of(110));
    metrics.podCapacity("n2", 9, OptionalInt.empty());
    assertThat(scrape.samples("cilium_operator_ipam_node_"))
        .contains(
            "cilium_operator_ipam_node_pod_capacity{target_node=\"n1\"} 27.0",
            "cilium_operator_ipam_node_max_pods{target_node=\"n1\"} 110.0")
        .noneMatch(line -> line.contains("pod") && line.contains("\"n2\""));
    metrics.podCapacity("n1", 27, OptionalInt.empty());
    assertThat(scrape.samples("cilium_operator_ipam_node_"))
        .noneMatch(line -> line.contains("pod"));
    metrics.podCapacity("n1", 27, OptionalInt.of(29));
    assertThat(scrape.samples("cilium_operator_ipam_node_max_pods")).hasSize(1);
    metrics.nodeGone("n1");
    assertThat(scrape.samples("cilium_operator_ipam_node_max_pods")).isEmpty();
  }

  @Test
  @DisplayName("Who else writes a node's pool: one at a time, there while it does")
  void secondOwner() {
    String name = "cilium_operator_ipam_second_owner";
    metrics.secondOwner("n1", Optional.of("one"));
    metrics.secondOwner("n2", Optional.of("unknown"));
    metrics.secondOwner("n1", Optional.of("two"));
    assertThat(scrape.samples(name))
        .containsExactlyInAnyOrder(
            name + "{manager=\"two\",target_node=\"n1\"} 1.0",
            name + "{manager=\"unknown\",target_node=\"n2\"} 1.0");
    metrics.secondOwner("n1", Optional.empty());
    metrics.nodeGone("n2");
    assertThat(scrape.samples(name)).isEmpty();
  }

  @Test
  @DisplayName("NM-S8 addresses in use that are gone: a gauge while there are some, and per node")
  void usedAddressesGone() {
    String name = "cilium_operator_ipam_used_ips_gone";
    metrics.usedAddressesGone("n1", 0);
    assertThat(scrape.samples(name)).isEmpty();
    metrics.usedAddressesGone("n1", 3);
    metrics.usedAddressesGone("n2", 1);
    metrics.usedAddressesGone("n1", 2);
    assertThat(scrape.samples(name))
        .containsExactlyInAnyOrder(
            name + "{target_node=\"n1\"} 2.0", name + "{target_node=\"n2\"} 1.0");
    metrics.usedAddressesGone("n1", 0);
    metrics.nodeGone("n2");
    assertThat(scrape.samples(name)).isEmpty();
    metrics.usedAddressesGone("n1", 1);
    assertThat(scrape.samples(name)).hasSize(1);
  }

  @Test
  @DisplayName(
      "A79 addresses that an agent leaves alone: a gauge while there are some, and per node")
  void offeredNotTaken() {
    String name = "cilium_operator_ipam_offered_not_taken_ips";
    metrics.offeredNotTaken("n1", 16);
    metrics.offeredNotTaken("n2", 1);
    assertThat(scrape.samples(name))
        .containsExactlyInAnyOrder(
            name + "{target_node=\"n1\"} 16.0", name + "{target_node=\"n2\"} 1.0");
    metrics.offeredNotTaken("n1", 0);
    metrics.nodeGone("n2");
    assertThat(scrape.samples(name)).isEmpty();
  }

  @Test
  @DisplayName("F-18 what belongs to a subnet goes with it")
  void subnetGone() {
    reportEverything();
    metrics.availableIpsPerSubnet("s2", "z1", 1);
    metrics.subnetGone("s1", "z1");
    assertThat(scrape.samples("cilium_operator_ipam_"))
        .filteredOn(line -> line.contains("subnet_id"))
        .containsExactly(
            "cilium_operator_ipam_available_ips_per_subnet"
                + "{availability_zone=\"z1\",subnet_id=\"s2\"} 1.0");
    metrics.addressesAllocated("s1", 4);
    assertThat(scrape.samples("cilium_operator_ipam_ip_allocation_ops"))
        .containsExactly("cilium_operator_ipam_ip_allocation_ops{subnet_id=\"s1\"} 4.0");
  }

  @Test
  @DisplayName("node-manager 7: bounds of the histograms")
  void buckets() {
    reportEverything();
    assertThat(bounds("allocation_duration_seconds"))
        .startsWith("0.25 0.5 1.0 2.0 3.0 ")
        .endsWith(" 58.0 59.0 60.0 +Inf");
    assertThat(bounds("k8s_sync_latency_seconds"))
        .isEqualTo(
            "0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1.0 1.25 1.5 2.0 3.0 4.0 5.0 6.0 8.0 10.0 15.0"
                + " 20.0 30.0 45.0 60.0 +Inf");
  }

  private String bounds(String name) {
    return scrape.samples("cilium_operator_ipam_" + name + "_bucket{").stream()
        .map(line -> line.replaceAll(".*le=\"([^\"]+)\".*", "$1"))
        .collect(joining(" "));
  }

  @Test
  @DisplayName("The prefix is a setting")
  void prefix() {
    new MicrometerIpamMetrics(scrape.registry, "my_ipam_").resynced();
    assertThat(scrape.samples("my_")).containsExactly("my_ipam_resync_total 1.0");
  }

  @Test
  @DisplayName("node-manager 7: requests to the cloud bear the cloud's prefix")
  void cloudApi() {
    MicrometerCloudApiMetrics cloud =
        new MicrometerCloudApiMetrics(scrape.registry, "cilium_operator_azure_");
    cloud.attempt("GetNic", "OK", SECOND);
    cloud.rateLimited("GetNic", Duration.ofMillis(20));
    cloud.rate("GetNic", 4.5);
    cloud.retried("GetNic");
    cloud.heldBack("reads", true);
    assertThat(scrape.types())
        .containsOnlyKeys(
            "cilium_operator_azure_api_duration_seconds",
            "cilium_operator_azure_api_held_back",
            "cilium_operator_azure_api_rate_limit_duration_seconds",
            "cilium_operator_azure_api_retries_total",
            "cilium_operator_azure_api_rate_per_second");
    assertThat(scrape.samples("cilium_operator_azure_api"))
        .contains(
            "cilium_operator_azure_api_duration_seconds_count"
                + "{operation=\"GetNic\",response_code=\"OK\"} 1",
            "cilium_operator_azure_api_rate_limit_duration_seconds_sum{operation=\"GetNic\"} 0.02",
            "cilium_operator_azure_api_held_back{effect=\"reads\"} 1.0",
            "cilium_operator_azure_api_rate_per_second{operation=\"GetNic\"} 4.5",
            "cilium_operator_azure_api_retries_total{operation=\"GetNic\"} 1.0");
  }

  @Test
  @DisplayName("provider-aws 8.4: what is done with interfaces bears the cloud's prefix")
  void interfaces() {
    InterfaceMetrics interfaces =
        new MicrometerCloudApiMetrics(scrape.registry, "cilium_operator_aws_").interfaces();
    interfaces.fallback("sibling");
    interfaces.inFlight("subnet-1", 33);
    interfaces.inFlight("subnet-2", 1);
    interfaces.countAge("subnet-1", Duration.ofSeconds(90));
    interfaces.countAge("subnet-2", Duration.ofSeconds(90));
    interfaces.quarantined("subnet-1", 5);
    interfaces.quarantined("subnet-2", 5);
    interfaces.subnetGone("subnet-2");
    interfaces.staleEtag();
    interfaces.remainingRequests("subscription-global-reads", 249);
    interfaces.limitsSource("m5.large", "table");
    interfaces.limitsSource("m5.large", "cloud");
    interfaces.collection(InterfaceMetrics.Collection.ON);
    interfaces.collection(InterfaceMetrics.Collection.UNNAMED);
    interfaces.leftOver(InterfaceMetrics.LeftOver.FOUND);
    interfaces.leftOver(InterfaceMetrics.LeftOver.DELETED);
    interfaces.leftOver(InterfaceMetrics.LeftOver.FAILED);
    assertThat(scrape.samples("cilium_operator_aws_"))
        .containsExactlyInAnyOrder(
            "cilium_operator_aws_prefix_fallback_total{rung=\"sibling\"} 1.0",
            "cilium_operator_aws_subnet_inflight_addresses{subnet=\"subnet-1\"} 33.0",
            "cilium_operator_aws_subnet_count_age_seconds{subnet=\"subnet-1\"} 90.0",
            "cilium_operator_aws_release_quarantined_addresses{subnet=\"subnet-1\"} 5.0",
            "cilium_operator_aws_etag_conflicts_total 1.0",
            "cilium_operator_aws_api_remaining_requests{bucket=\"subscription-global-reads\"} 249.0",
            "cilium_operator_aws_limits_source{source=\"cloud\",type=\"m5.large\"} 1.0",
            "cilium_operator_aws_limits_source{source=\"settings\",type=\"m5.large\"} 0.0",
            "cilium_operator_aws_limits_source{source=\"table\",type=\"m5.large\"} 0.0",
            "cilium_operator_aws_eni_gc_state{state=\"off\"} 0.0",
            "cilium_operator_aws_eni_gc_state{state=\"on\"} 0.0",
            "cilium_operator_aws_eni_gc_state{state=\"unnamed\"} 1.0",
            "cilium_operator_aws_eni_gc_candidates_total 1.0",
            "cilium_operator_aws_eni_gc_deleted_total 1.0",
            "cilium_operator_aws_eni_gc_failed_total 1.0");
  }

  @Test
  @DisplayName("Z11 long-running operations are measured by their request and their end")
  void operations() {
    InterfaceMetrics interfaces =
        new MicrometerCloudApiMetrics(scrape.registry, "cilium_operator_azure_").interfaces();
    interfaces.operation("Update", InterfaceMetrics.OperationEnd.SUCCEEDED, Duration.ofSeconds(20));
    interfaces.operation("Update", InterfaceMetrics.OperationEnd.FAILED, Duration.ofSeconds(3));
    assertThat(scrape.samples("cilium_operator_azure_lro_duration_seconds_"))
        .contains(
            "cilium_operator_azure_lro_duration_seconds_sum{operation=\"Update\","
                + "outcome=\"succeeded\"} 20.0",
            "cilium_operator_azure_lro_duration_seconds_count{operation=\"Update\","
                + "outcome=\"failed\"} 1");
  }

  @Test
  @DisplayName("Without metrics nothing is counted, and triggers still have someone to tell")
  void off() {
    NoMetrics.IPAM.node("n1", 1, 1, 1, 1);
    NoMetrics.IPAM.poolMaintainer().ran(SECOND, SECOND, 1);
    NoMetrics.IPAM.k8sSync().queued();
    NoMetrics.CLOUD.attempt("x", "OK", SECOND);
    assertThat(NoMetrics.IPAM.resync()).isSameAs(NoMetrics.TRIGGER);
    assertThat(scrape.types()).isEmpty();
  }
}
