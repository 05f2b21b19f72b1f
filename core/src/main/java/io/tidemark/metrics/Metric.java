package io.tidemark.metrics;

import static io.tidemark.metrics.Metric.Prefix.AGENT;
import static io.tidemark.metrics.Metric.Prefix.AWS_CNI;
import static io.tidemark.metrics.Metric.Prefix.CIDRSET;
import static io.tidemark.metrics.Metric.Prefix.CLOUD;
import static io.tidemark.metrics.Metric.Prefix.IPAM;
import static io.tidemark.metrics.Metric.Prefix.NODE_CIDR;
import static io.tidemark.metrics.Metric.Prefix.NODE_ID;
import static io.tidemark.metrics.Metric.Prefix.TRIGGER;
import static io.tidemark.metrics.Metric.Prefix.WATCH;
import static io.tidemark.metrics.Metric.Shape.API_HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.COUNTER;
import static io.tidemark.metrics.Metric.Shape.GAUGE;
import static io.tidemark.metrics.Metric.Shape.HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.REUSE_HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.SIZE_HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.SUM;
import static io.tidemark.metrics.Metric.Shape.TRIES_HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.TRIGGER_HISTOGRAM;
import static io.tidemark.metrics.Metric.Shape.WAIT_HISTOGRAM;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Every metric there is: prefix, shape, name with labels, and meaning (node-manager 7). The page
 * docs/metrics.md is compared with it.
 */
public enum Metric {
  AVAILABLE_IPS(IPAM, GAUGE, "available_ips{target_node}", "Addresses that a node can hold"),
  USED_IPS(IPAM, GAUGE, "used_ips{target_node}", "Addresses in use on a node"),
  NEEDED_IPS(IPAM, GAUGE, "needed_ips{target_node}", "Addresses a node lacks"),
  NODE_SPARE_IPS(IPAM, GAUGE, "node_spare_ips{target_node}", "Spare addresses of a node"),
  SPARE_TARGET(
      IPAM,
      GAUGE,
      "spare_target_ips{target_node}",
      "Spare addresses up to which a node asks, where they follow demand"),
  NODES_TAINTED(
      IPAM,
      GAUGE,
      "nodes_tainted",
      "Nodes that are tainted because they have no address for a pod"),
  LEAD_TIME(
      IPAM,
      GAUGE,
      "lead_time_seconds{step}",
      "Time until addresses that are asked for can be used"),
  ADDRESS_WAIT(
      IPAM,
      WAIT_HISTOGRAM,
      "address_wait_seconds",
      "Time that pods waited because their node had no free address"),
  NODE_POD_CAPACITY(
      IPAM, GAUGE, "node_pod_capacity{target_node}", "Pods a node can give addresses to"),
  NODE_MAX_PODS(IPAM, GAUGE, "node_max_pods{target_node}", "Pods that a node's kubelet takes"),
  SECOND_OWNER(
      IPAM,
      GAUGE,
      "second_owner{target_node,manager}",
      "1 while another program writes a node's pool"),
  USED_IPS_GONE(
      IPAM,
      GAUGE,
      "used_ips_gone{target_node}",
      "Addresses that pods of a node hold and that the cloud has taken away"),
  OFFERED_NOT_TAKEN_IPS(
      IPAM,
      GAUGE,
      "offered_not_taken_ips{target_node}",
      "Addresses on offer that the agent of a node does not take up, although it wants more"),
  IPS(IPAM, GAUGE, "ips{type}", "Addresses of all nodes: used, available or needed"),
  AVAILABLE_INTERFACES(
      IPAM, GAUGE, "available_interfaces", "Interfaces with room and empty slots of all nodes"),
  INTERFACE_CANDIDATES(IPAM, GAUGE, "interface_candidates", "Interfaces with room of all nodes"),
  EMPTY_INTERFACE_SLOTS(IPAM, GAUGE, "empty_interface_slots", "Empty interface slots of all nodes"),
  AVAILABLE_IPS_PER_SUBNET(
      IPAM,
      GAUGE,
      "available_ips_per_subnet{subnet_id,availability_zone}",
      "Free addresses of a subnet"),
  NODES(IPAM, GAUGE, "nodes{category}", "Nodes: total, in-deficit or at-capacity"),
  RESYNC_TOTAL(IPAM, COUNTER, "resync_total", "Full scans that reached the nodes"),
  IP_ALLOCATION_OPS(
      IPAM, SUM, "ip_allocation_ops{subnet_id}", "Addresses allocated since the start"),
  IP_RELEASE_OPS(IPAM, SUM, "ip_release_ops{subnet_id}", "Addresses released since the start"),
  INTERFACE_CREATION_OPS(
      IPAM, SUM, "interface_creation_ops{subnet_id}", "Interfaces created since the start"),
  ALLOCATION_DURATION(
      IPAM,
      HISTOGRAM,
      "allocation_duration_seconds{type,status,subnet_id}",
      "Time of one allocation"),
  RELEASE_DURATION(
      IPAM, HISTOGRAM, "release_duration_seconds{type,status,subnet_id}", "Time of one release"),
  BACKGROUND_SYNC_DURATION(
      IPAM, HISTOGRAM, "background_sync_duration_seconds{status}", "Time of one full scan"),
  RELEASE_HANDSHAKE(
      IPAM, GAUGE, "release_handshake{state}", "Addresses in each state of the handshake"),
  HANDSHAKE_ABORTED(
      IPAM, COUNTER, "handshake_aborted_total{reason}", "Releases that were called off"),
  SYNC_CONFLICTS(IPAM, COUNTER, "sync_conflicts_total", "Writes that met a newer object"),
  INSTANCES_API_READY(IPAM, GAUGE, "instances_api_ready", "1 while changes are allowed, else 0"),
  NODES_STUCK(IPAM, GAUGE, "nodes_stuck{reason}", "Blocked nodes"),
  OLDEST_DEFICIT(IPAM, GAUGE, "oldest_deficit_seconds", "Age of the oldest deficit not served yet"),
  CACHE_AGE(IPAM, GAUGE, "cache_age_seconds", "Age of the cached inventory"),

  TRIGGER_QUEUED(TRIGGER, COUNTER, "queued_total", "Requests to run"),
  TRIGGER_FOLDS(TRIGGER, GAUGE, "folds", "Requests answered by the last run"),
  TRIGGER_DURATION(TRIGGER, TRIGGER_HISTOGRAM, "duration_seconds", "Time of one run"),
  TRIGGER_LATENCY(
      TRIGGER, TRIGGER_HISTOGRAM, "latency_seconds", "Time from the first request to the run"),

  API_DURATION(
      CLOUD,
      API_HISTOGRAM,
      "api_duration_seconds{operation,response_code}",
      "Time of one request to the cloud"),
  API_RATE_LIMIT_DURATION(
      CLOUD,
      API_HISTOGRAM,
      "api_rate_limit_duration_seconds{operation}",
      "Time that a request waited for its turn"),
  API_RETRIES(
      CLOUD, COUNTER, "api_retries_total{operation}", "Requests sent once more after a failure"),
  API_HELD_BACK(
      CLOUD,
      GAUGE,
      "api_held_back{effect}",
      "1 while requests are held back because the cloud failed too often, else 0"),
  API_RATE(
      CLOUD,
      GAUGE,
      "api_rate_per_second{operation}",
      "Requests that the cloud is believed to allow"),

  ENI_FALLBACK(
      CLOUD,
      COUNTER,
      "prefix_fallback_total{rung}",
      "Requests for addresses in another way than the first"),
  ENI_IN_FLIGHT(
      CLOUD,
      GAUGE,
      "subnet_inflight_addresses{subnet}",
      "Addresses that requests on the way will take"),
  ENI_COUNT_AGE(
      CLOUD,
      GAUGE,
      "subnet_count_age_seconds{subnet}",
      "Age of the count of a subnet's free addresses at the last full scan"),
  ENI_QUARANTINED(
      CLOUD,
      GAUGE,
      "release_quarantined_addresses{subnet}",
      "Released addresses that do not count as free yet"),
  ENI_OPERATION_DURATION(
      CLOUD,
      HISTOGRAM,
      "lro_duration_seconds{operation,outcome}",
      "Time of one long-running operation"),
  ENI_STALE_ETAG(
      CLOUD,
      COUNTER,
      "etag_conflicts_total",
      "Changes refused because the resource had changed since it was read"),
  API_REMAINING(
      CLOUD,
      GAUGE,
      "api_remaining_requests{bucket}",
      "What the last response said is left of a bucket of the cloud"),
  ENI_LIMITS(
      CLOUD,
      GAUGE,
      "limits_source{type,source}",
      "1 for where the limits of an instance type come from, else 0"),
  ENI_GC_STATE(
      CLOUD,
      GAUGE,
      "eni_gc_state{state}",
      "1 for how the collection of left-over interfaces stands, else 0"),
  ENI_GC_CANDIDATES(
      CLOUD, COUNTER, "eni_gc_candidates_total", "Left-over interfaces that were found"),
  ENI_GC_DELETED(CLOUD, COUNTER, "eni_gc_deleted_total", "Left-over interfaces that were deleted"),
  ENI_GC_FAILED(
      CLOUD, COUNTER, "eni_gc_failed_total", "Deletions of left-over interfaces that failed"),

  AGENT_EVENTS(
      AGENT, COUNTER, "ipam_events_total{action,family}", "Addresses allocated and released"),
  AGENT_ATTEMPTS(AGENT, SUM, "ipam_allocation_attempts{family,outcome}", "Requests for an address"),
  AGENT_CAPACITY(AGENT, GAUGE, "ipam_capacity{family}", "Addresses that can be allocated"),
  AGENT_AVAILABLE(AGENT, GAUGE, "ipam_available{family}", "Addresses that are free"),
  AGENT_USED(AGENT, GAUGE, "ipam_used{family}", "Addresses in use or cooling"),
  AGENT_COOLING(
      AGENT, GAUGE, "ipam_cooling{pool,family}", "Released addresses that nobody else gets yet"),
  AGENT_REUSE_DISTANCE(
      AGENT,
      REUSE_HISTOGRAM,
      "ipam_reuse_distance_seconds{pool,family}",
      "Time from the release of an address to its next allocation"),
  AGENT_EXCLUDED(AGENT, GAUGE, "ipam_excluded{pool,family}", "Addresses reserved from allocation"),
  AGENT_PENDING(
      AGENT, GAUGE, "ipam_pending{pool,family}", "Owners that found no address of a pool"),
  AGENT_QUARANTINED(
      AGENT,
      GAUGE,
      "ipam_quarantined{pool,family}",
      "Addresses in blocks that may still be under release"),
  AGENT_OFFERED_NOT_TAKEN_IPS(
      AGENT,
      GAUGE,
      "ipam_offered_not_taken_ips{pool,family}",
      "Addresses on offer that are not handed out although nothing speaks against it"),
  AGENT_OFFER_REBUILT(
      AGENT,
      COUNTER,
      "ipam_offer_rebuilt_total",
      "Pools built anew because addresses on offer were not handed out"),

  AGENT_CNI_REQUESTS(AGENT, COUNTER, "cni_requests_total{command,code}", "Answers to CNI plugins"),
  AGENT_CNI_DURATION(
      AGENT,
      API_HISTOGRAM,
      "cni_duration_seconds{command}",
      "Time until a CNI plugin was answered"),
  AGENT_CNI_WAITING(AGENT, GAUGE, "cni_waiting", "Pods that wait for an address"),

  STORE_ENIS(AWS_CNI, GAUGE, "eni_allocated{card}", "Interfaces of the card"),
  STORE_TOTAL(AWS_CNI, GAUGE, "total_ip_addresses{card}", "Addresses of interfaces that take pods"),
  STORE_ASSIGNED(AWS_CNI, GAUGE, "assigned_ip_addresses{card}", "Addresses that pods have"),
  STORE_PREFIXES(
      AWS_CNI,
      GAUGE,
      "total_ipv4_prefixes{card}",
      "Delegated IPv4 prefixes of interfaces that take pods"),
  STORE_COOLING(
      AWS_CNI,
      GAUGE,
      "cooling_ip_addresses{card}",
      "Released addresses that no other pod gets yet"),
  STORE_ORPHANS(
      AWS_CNI,
      GAUGE,
      "orphan_ip_addresses{card}",
      "Assignments whose addresses the node does not have"),
  STORE_LOST(
      AWS_CNI,
      GAUGE,
      "lost_ip_addresses{card}",
      "Assignments whose addresses left the node while a pod had them"),
  STORE_ASSIGNED_PER_ENI(
      AWS_CNI, GAUGE, "assigned_ip_per_eni{card,eni}", "Addresses of an interface that pods have"),
  STORE_ASSIGNED_PER_CIDR(
      AWS_CNI,
      GAUGE,
      "assigned_ip_per_cidr{card,cidr}",
      "Addresses of a secondary address or prefix that pods have"),
  STORE_PLAN_SHORT(
      AWS_CNI, GAUGE, "plan_short{card}", "Addresses or prefixes that the targets lack"),
  STORE_PLAN_OVER(
      AWS_CNI, GAUGE, "plan_over{card}", "Addresses or prefixes that the targets do not need"),
  STORE_SPARE_TARGET(
      AWS_CNI,
      GAUGE,
      "spare_target_ips{card}",
      "Free addresses up to which more are asked for, where they follow demand"),
  STORE_LEAD_TIME(
      AWS_CNI,
      GAUGE,
      "lead_time_seconds{card}",
      "Time until the next addresses that are asked for can be used"),
  STORE_NO_ADDRESS(
      AWS_CNI, SUM, "no_available_ip_addresses{card}", "Requests that found no address"),
  STORE_FORCED_ENIS(
      AWS_CNI, SUM, "force_removed_enis{card}", "Interfaces that left although pods used them"),
  STORE_FORCED_IPS(
      AWS_CNI, SUM, "force_removed_ips{card}", "Addresses that left although pods used them"),
  STORE_CUT_SHORT(
      AWS_CNI,
      COUNTER,
      "cooldown_cut_short_total{card}",
      "Addresses assigned before their cooldown was over"),
  STORE_REUSE_DISTANCE(
      AWS_CNI,
      REUSE_HISTOGRAM,
      "reuse_distance_seconds{card}",
      "Time from the release of an address to its next assignment"),
  STORE_ENI_MAX(AWS_CNI, GAUGE, "eni_max{card}", "Interfaces that the card can have"),
  STORE_IP_MAX(AWS_CNI, GAUGE, "ip_max{card}", "Addresses that these interfaces can have"),
  STORE_CORRECTIONS(
      AWS_CNI,
      SUM,
      "reconcile_count{card,fn}",
      "Interfaces and blocks added or removed because the cloud showed that"),
  STORE_ERRORS(AWS_CNI, SUM, "ipamd_error_count{fn}", "Requests to the cloud that failed"),
  STORE_IN_PROGRESS(
      AWS_CNI, GAUGE, "ipamd_action_inprogress{fn}", "Requests to the cloud under way"),
  STORE_BATCH_SIZE(
      AWS_CNI,
      SIZE_HISTOGRAM,
      "checkpoint_batch_size{card}",
      "Changes in one write of the checkpoint"),
  STORE_CHECKPOINT_DURATION(
      AWS_CNI,
      API_HISTOGRAM,
      "checkpoint_duration_seconds{card}",
      "Time of one write of the checkpoint"),
  STORE_CHECKPOINT_FAILURES(
      AWS_CNI, COUNTER, "checkpoint_failures_total{card}", "Writes of the checkpoint that failed"),

  NODE_ID_IDS(NODE_ID, GAUGE, "ids{state}", "Ids by their state"),
  NODE_ID_NODES(NODE_ID, GAUGE, "nodes{state}", "Nodes by the state of their ids"),
  NODE_ID_CLAIM_DURATION(
      NODE_ID,
      HISTOGRAM,
      "claim_duration_seconds",
      "Time from the first sight of a node until it shows its id"),
  NODE_ID_CONFLICTS(
      NODE_ID, GAUGE, "conflicts", "Nodes whose id another node has or shows as well"),
  NODE_ID_REASSERTED(
      NODE_ID, COUNTER, "reasserted_total", "Claims that were lost and were made again"),

  RPC_DURATION(
      AWS_CNI,
      API_HISTOGRAM,
      "rpc_duration_seconds{method,code}",
      "Time until a call of a plugin was answered"),
  RPC_ADD_REQUESTS(AWS_CNI, SUM, "add_ip_req_count", "Requests for an address"),
  RPC_DEL_REQUESTS(AWS_CNI, SUM, "del_ip_req_count{reason}", "Requests to release an address"),

  CIDRSET_ALLOCATIONS(
      CIDRSET, COUNTER, "cidrset_cidrs_allocations_total{clusterCIDR}", "Blocks that were taken"),
  CIDRSET_RELEASES(
      CIDRSET, COUNTER, "cidrset_cidrs_releases_total{clusterCIDR}", "Blocks that were given back"),
  CIDRSET_USAGE(CIDRSET, GAUGE, "cidrset_usage_cidrs{clusterCIDR}", "Part of the blocks in use"),
  CIDRSET_MAX(CIDRSET, GAUGE, "cirdset_max_cidrs{clusterCIDR}", "Blocks of the range"),
  CIDRSET_TRIES(
      CIDRSET,
      TRIES_HISTOGRAM,
      "cidrset_allocation_tries_per_request{clusterCIDR}",
      "Taken blocks that the search for a free one passed over"),
  NODE_CIDR_BLOCKS(NODE_CIDR, GAUGE, "blocks{cluster_cidr,family,state}", "Blocks of a range"),
  NODE_CIDR_NODES(NODE_CIDR, GAUGE, "nodes{state}", "Nodes by the state of their CIDRs"),
  NODE_CIDR_ASSIGNMENT(
      NODE_CIDR,
      HISTOGRAM,
      "assignment_duration_seconds",
      "Time from the first sight of a node until it has its CIDRs"),
  NODE_CIDR_WRITES(
      NODE_CIDR, COUNTER, "writes_total{ending}", "Writes of the CIDRs of a node that ended"),
  NODE_CIDR_OLDEST(
      NODE_CIDR,
      GAUGE,
      "oldest_waiting_seconds",
      "How long the node without CIDRs has waited that waits longest"),
  NODE_CIDR_CONFLICTS(NODE_CIDR, GAUGE, "conflicts", "Nodes whose CIDRs others have as well"),
  NODE_CIDR_FRONTIER(
      NODE_CIDR,
      GAUGE,
      "frontier{cluster_cidr}",
      "The first block of a range that a next leader may give out at once"),

  WATCH_AGE(
      WATCH,
      GAUGE,
      "age_seconds{kind}",
      "Time since the last sign of life of a watch of objects in the cluster");

  /** Kinds of trigger: the prefixes of the metrics that each of them has. */
  static final List<String> TRIGGERS =
      List.of("deficit_resolver", "k8s_sync", "resync", "ipam_sync");

  private final Prefix prefix;
  private final Shape shape;
  private final String suffix;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> labels;

  Metric(Prefix prefix, Shape shape, String labelled, String help) {
    List<String> parts = List.of(labelled.split("[{},]"));
    this.prefix = prefix;
    this.shape = shape;
    this.suffix = parts.get(0);
    this.help = help;
    this.labels = parts.subList(1, parts.size());
  }

  /** The beginning of a name; that of the programs that Tidemark replaces, if they have it. */
  public enum Prefix {
    /** Of the node manager; the setting {@code metrics-prefix} replaces it. */
    IPAM("cilium_operator_ipam_"),
    /** Of requests to the cloud; the name of the cloud replaces it. */
    CLOUD("cilium_operator_cloud_"),
    AGENT("cilium_"),
    /** Of the stores of network cards. */
    AWS_CNI("awscni_"),
    NODE_ID("tidemark_node_id_"),
    CIDRSET("node_ipam_controller_"),
    NODE_CIDR("tidemark_node_cidr_"),
    WATCH("tidemark_watch_"),
    /** Of a trigger: that of its owner, with the name of the trigger. */
    TRIGGER("");

    private final String text;

    Prefix(String text) {
      this.text = text;
    }

    /** Unless a setting replaces it; with its last underscore. */
    public String text() {
      return text;
    }
  }

  /**
   * Kind of a metric, and the upper bounds of its buckets, in seconds unless it counts things
   * (node-manager 7). The reference's first bound of the operations is 0, by accident; nothing
   * falls under it, and Micrometer refuses it.
   */
  enum Shape {
    GAUGE(""),
    /** Only goes up; the name ends in {@code _total}. */
    COUNTER(""),
    /**
     * Only goes up, but bears the reference's name without {@code _total}, which the exposition
     * format forbids for counters: published as a gauge, to be read by {@code rate()} all the same.
     */
    SUM(""),
    /** Of operations: quarter, half and whole seconds to a minute. */
    HISTOGRAM(
        "0.25 0.5 " + IntStream.rangeClosed(1, 60).mapToObj(String::valueOf).collect(joining(" "))),
    /** Of runs of a trigger. */
    TRIGGER_HISTOGRAM(
        "0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1 1.25 1.5 2 3 4 5 6 8 10 15 20 30 45 60"),
    /** Of requests. */
    API_HISTOGRAM("0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10"),
    /** Of addresses that are used again: around the usual cooldowns, to a day. */
    REUSE_HISTOGRAM("10 30 60 120 130 180 300 1800 3600 21600 86400"),
    /** Of pods: a moment, and hours where a subnet is exhausted. */
    WAIT_HISTOGRAM("1 2 5 10 15 20 30 45 60 120 300 600 1800 3600 21600"),
    /** Of things that are counted, not timed. */
    SIZE_HISTOGRAM("1 2 4 8 16 32 64 128 256"),
    /** Of blocks that a search passes over. */
    TRIES_HISTOGRAM("1 5 25 125 625");

    private final String bounds;

    Shape(String bounds) {
      this.bounds = bounds;
    }

    double[] bounds() {
      return Stream.of(bounds.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    }
  }

  Prefix prefix() {
    return prefix;
  }

  String suffix() {
    return suffix;
  }

  Shape shape() {
    return shape;
  }

  boolean isHistogram() {
    return shape == Shape.HISTOGRAM
        || shape == Shape.TRIGGER_HISTOGRAM
        || shape == Shape.API_HISTOGRAM
        || shape == Shape.REUSE_HISTOGRAM
        || shape == Shape.WAIT_HISTOGRAM;
  }

  String help() {
    return help;
  }

  List<String> labels() {
    return labels;
  }
}
