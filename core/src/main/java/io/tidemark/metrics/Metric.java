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

import java.util.List;

/**
 * Every metric there is: prefix, shape, name, meaning and labels (node-manager 7). The page
 * docs/metrics.md is compared with it.
 */
public enum Metric {
  AVAILABLE_IPS(IPAM, GAUGE, "available_ips", "Addresses that a node can hold", "target_node"),
  USED_IPS(IPAM, GAUGE, "used_ips", "Addresses in use on a node", "target_node"),
  NEEDED_IPS(IPAM, GAUGE, "needed_ips", "Addresses a node lacks", "target_node"),
  NODE_SPARE_IPS(IPAM, GAUGE, "node_spare_ips", "Spare addresses of a node", "target_node"),
  NODE_POD_CAPACITY(
      IPAM, GAUGE, "node_pod_capacity", "Pods a node can give addresses to", "target_node"),
  NODE_MAX_PODS(IPAM, GAUGE, "node_max_pods", "Pods that a node's kubelet takes", "target_node"),
  SECOND_OWNER(
      IPAM,
      GAUGE,
      "second_owner",
      "1 while another program writes a node's pool",
      "target_node",
      "manager"),
  USED_IPS_GONE(
      IPAM,
      GAUGE,
      "used_ips_gone",
      "Addresses that pods of a node hold and that the cloud has taken away",
      "target_node"),
  OFFERED_NOT_TAKEN_IPS(
      IPAM,
      GAUGE,
      "offered_not_taken_ips",
      "Addresses on offer that the agent of a node does not take up, although it wants more",
      "target_node"),
  IPS(IPAM, GAUGE, "ips", "Addresses of all nodes: used, available or needed", "type"),
  AVAILABLE_INTERFACES(
      IPAM, GAUGE, "available_interfaces", "Interfaces with room and empty slots of all nodes"),
  INTERFACE_CANDIDATES(IPAM, GAUGE, "interface_candidates", "Interfaces with room of all nodes"),
  EMPTY_INTERFACE_SLOTS(IPAM, GAUGE, "empty_interface_slots", "Empty interface slots of all nodes"),
  AVAILABLE_IPS_PER_SUBNET(
      IPAM,
      GAUGE,
      "available_ips_per_subnet",
      "Free addresses of a subnet",
      "subnet_id",
      "availability_zone"),
  NODES(IPAM, GAUGE, "nodes", "Nodes: total, in-deficit or at-capacity", "category"),
  RESYNC_TOTAL(IPAM, COUNTER, "resync_total", "Full scans that reached the nodes"),
  IP_ALLOCATION_OPS(
      IPAM, SUM, "ip_allocation_ops", "Addresses allocated since the start", "subnet_id"),
  IP_RELEASE_OPS(IPAM, SUM, "ip_release_ops", "Addresses released since the start", "subnet_id"),
  INTERFACE_CREATION_OPS(
      IPAM, SUM, "interface_creation_ops", "Interfaces created since the start", "subnet_id"),
  ALLOCATION_DURATION(
      IPAM,
      HISTOGRAM,
      "allocation_duration_seconds",
      "Time of one allocation",
      "type",
      "status",
      "subnet_id"),
  RELEASE_DURATION(
      IPAM,
      HISTOGRAM,
      "release_duration_seconds",
      "Time of one release",
      "type",
      "status",
      "subnet_id"),
  BACKGROUND_SYNC_DURATION(
      IPAM, HISTOGRAM, "background_sync_duration_seconds", "Time of one full scan", "status"),
  RELEASE_HANDSHAKE(
      IPAM, GAUGE, "release_handshake", "Addresses in each state of the handshake", "state"),
  HANDSHAKE_ABORTED(
      IPAM, COUNTER, "handshake_aborted_total", "Releases that were called off", "reason"),
  SYNC_CONFLICTS(IPAM, COUNTER, "sync_conflicts_total", "Writes that met a newer object"),
  INSTANCES_API_READY(IPAM, GAUGE, "instances_api_ready", "1 while changes are allowed, else 0"),
  NODES_STUCK(IPAM, GAUGE, "nodes_stuck", "Blocked nodes", "reason"),
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
      "api_duration_seconds",
      "Time of one request to the cloud",
      "operation",
      "response_code"),
  API_RATE_LIMIT_DURATION(
      CLOUD,
      API_HISTOGRAM,
      "api_rate_limit_duration_seconds",
      "Time that a request waited for its turn",
      "operation"),
  API_RETRIES(
      CLOUD, COUNTER, "api_retries_total", "Requests sent once more after a failure", "operation"),
  API_HELD_BACK(
      CLOUD,
      GAUGE,
      "api_held_back",
      "1 while requests are held back because the cloud failed too often, else 0",
      "effect"),
  API_RATE(
      CLOUD,
      GAUGE,
      "api_rate_per_second",
      "Requests that the cloud is believed to allow",
      "operation"),

  ENI_FALLBACK(
      CLOUD,
      COUNTER,
      "prefix_fallback_total",
      "Requests for addresses in another way than the first",
      "rung"),
  ENI_IN_FLIGHT(
      CLOUD,
      GAUGE,
      "subnet_inflight_addresses",
      "Addresses that requests on the way will take",
      "subnet"),
  ENI_COUNT_AGE(
      CLOUD,
      GAUGE,
      "subnet_count_age_seconds",
      "Age of the count of a subnet's free addresses at the last full scan",
      "subnet"),
  ENI_QUARANTINED(
      CLOUD,
      GAUGE,
      "release_quarantined_addresses",
      "Released addresses that do not count as free yet",
      "subnet"),
  ENI_OPERATION_DURATION(
      CLOUD,
      HISTOGRAM,
      "lro_duration_seconds",
      "Time of one long-running operation",
      "operation",
      "outcome"),
  ENI_STALE_ETAG(
      CLOUD,
      COUNTER,
      "etag_conflicts_total",
      "Changes refused because the resource had changed since it was read"),
  API_REMAINING(
      CLOUD,
      GAUGE,
      "api_remaining_requests",
      "What the last response said is left of a bucket of the cloud",
      "bucket"),
  ENI_LIMITS(
      CLOUD,
      GAUGE,
      "limits_source",
      "1 for where the limits of an instance type come from, else 0",
      "type",
      "source"),
  ENI_GC_STATE(
      CLOUD,
      GAUGE,
      "eni_gc_state",
      "1 for how the collection of left-over interfaces stands, else 0",
      "state"),
  ENI_GC_CANDIDATES(
      CLOUD, COUNTER, "eni_gc_candidates_total", "Left-over interfaces that were found"),
  ENI_GC_DELETED(CLOUD, COUNTER, "eni_gc_deleted_total", "Left-over interfaces that were deleted"),
  ENI_GC_FAILED(
      CLOUD, COUNTER, "eni_gc_failed_total", "Deletions of left-over interfaces that failed"),

  AGENT_EVENTS(
      AGENT, COUNTER, "ipam_events_total", "Addresses allocated and released", "action", "family"),
  AGENT_ATTEMPTS(
      AGENT, SUM, "ipam_allocation_attempts", "Requests for an address", "family", "outcome"),
  AGENT_CAPACITY(AGENT, GAUGE, "ipam_capacity", "Addresses that can be allocated", "family"),
  AGENT_AVAILABLE(AGENT, GAUGE, "ipam_available", "Addresses that are free", "family"),
  AGENT_USED(AGENT, GAUGE, "ipam_used", "Addresses in use or cooling", "family"),
  AGENT_COOLING(
      AGENT,
      GAUGE,
      "ipam_cooling",
      "Released addresses that nobody else gets yet",
      "pool",
      "family"),
  AGENT_REUSE_DISTANCE(
      AGENT,
      REUSE_HISTOGRAM,
      "ipam_reuse_distance_seconds",
      "Time from the release of an address to its next allocation",
      "pool",
      "family"),
  AGENT_EXCLUDED(
      AGENT, GAUGE, "ipam_excluded", "Addresses reserved from allocation", "pool", "family"),
  AGENT_PENDING(
      AGENT, GAUGE, "ipam_pending", "Owners that found no address of a pool", "pool", "family"),
  AGENT_QUARANTINED(
      AGENT,
      GAUGE,
      "ipam_quarantined",
      "Addresses in blocks that may still be under release",
      "pool",
      "family"),
  AGENT_OFFERED_NOT_TAKEN_IPS(
      AGENT,
      GAUGE,
      "ipam_offered_not_taken_ips",
      "Addresses on offer that are not handed out although nothing speaks against it",
      "pool",
      "family"),
  AGENT_OFFER_REBUILT(
      AGENT,
      COUNTER,
      "ipam_offer_rebuilt_total",
      "Pools built anew because addresses on offer were not handed out"),

  AGENT_CNI_REQUESTS(
      AGENT, COUNTER, "cni_requests_total", "Answers to CNI plugins", "command", "code"),
  AGENT_CNI_DURATION(
      AGENT,
      API_HISTOGRAM,
      "cni_duration_seconds",
      "Time until a CNI plugin was answered",
      "command"),
  AGENT_CNI_WAITING(AGENT, GAUGE, "cni_waiting", "Pods that wait for an address"),

  STORE_ENIS(AWS_CNI, GAUGE, "eni_allocated", "Interfaces of the card", "card"),
  STORE_TOTAL(
      AWS_CNI, GAUGE, "total_ip_addresses", "Addresses of interfaces that take pods", "card"),
  STORE_ASSIGNED(AWS_CNI, GAUGE, "assigned_ip_addresses", "Addresses that pods have", "card"),
  STORE_PREFIXES(
      AWS_CNI,
      GAUGE,
      "total_ipv4_prefixes",
      "Delegated IPv4 prefixes of interfaces that take pods",
      "card"),
  STORE_COOLING(
      AWS_CNI,
      GAUGE,
      "cooling_ip_addresses",
      "Released addresses that no other pod gets yet",
      "card"),
  STORE_ORPHANS(
      AWS_CNI,
      GAUGE,
      "orphan_ip_addresses",
      "Assignments whose addresses the node does not have",
      "card"),
  STORE_LOST(
      AWS_CNI,
      GAUGE,
      "lost_ip_addresses",
      "Assignments whose addresses left the node while a pod had them",
      "card"),
  STORE_ASSIGNED_PER_ENI(
      AWS_CNI,
      GAUGE,
      "assigned_ip_per_eni",
      "Addresses of an interface that pods have",
      "card",
      "eni"),
  STORE_ASSIGNED_PER_CIDR(
      AWS_CNI,
      GAUGE,
      "assigned_ip_per_cidr",
      "Addresses of a secondary address or prefix that pods have",
      "card",
      "cidr"),
  STORE_PLAN_SHORT(
      AWS_CNI, GAUGE, "plan_short", "Addresses or prefixes that the targets lack", "card"),
  STORE_PLAN_OVER(
      AWS_CNI, GAUGE, "plan_over", "Addresses or prefixes that the targets do not need", "card"),
  STORE_NO_ADDRESS(
      AWS_CNI, SUM, "no_available_ip_addresses", "Requests that found no address", "card"),
  STORE_FORCED_ENIS(
      AWS_CNI, SUM, "force_removed_enis", "Interfaces that left although pods used them", "card"),
  STORE_FORCED_IPS(
      AWS_CNI, SUM, "force_removed_ips", "Addresses that left although pods used them", "card"),
  STORE_CUT_SHORT(
      AWS_CNI,
      COUNTER,
      "cooldown_cut_short_total",
      "Addresses assigned before their cooldown was over",
      "card"),
  STORE_REUSE_DISTANCE(
      AWS_CNI,
      REUSE_HISTOGRAM,
      "reuse_distance_seconds",
      "Time from the release of an address to its next assignment",
      "card"),
  STORE_ENI_MAX(AWS_CNI, GAUGE, "eni_max", "Interfaces that the card can have", "card"),
  STORE_IP_MAX(AWS_CNI, GAUGE, "ip_max", "Addresses that these interfaces can have", "card"),
  STORE_CORRECTIONS(
      AWS_CNI,
      SUM,
      "reconcile_count",
      "Interfaces and blocks added or removed because the cloud showed that",
      "card",
      "fn"),
  STORE_ERRORS(AWS_CNI, SUM, "ipamd_error_count", "Requests to the cloud that failed", "fn"),
  STORE_IN_PROGRESS(
      AWS_CNI, GAUGE, "ipamd_action_inprogress", "Requests to the cloud under way", "fn"),
  STORE_BATCH_SIZE(
      AWS_CNI,
      SIZE_HISTOGRAM,
      "checkpoint_batch_size",
      "Changes in one write of the checkpoint",
      "card"),
  STORE_CHECKPOINT_DURATION(
      AWS_CNI,
      API_HISTOGRAM,
      "checkpoint_duration_seconds",
      "Time of one write of the checkpoint",
      "card"),
  STORE_CHECKPOINT_FAILURES(
      AWS_CNI,
      COUNTER,
      "checkpoint_failures_total",
      "Writes of the checkpoint that failed",
      "card"),

  NODE_ID_IDS(NODE_ID, GAUGE, "ids", "Ids by their state", "state"),
  NODE_ID_NODES(NODE_ID, GAUGE, "nodes", "Nodes by the state of their ids", "state"),
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
      "rpc_duration_seconds",
      "Time until a call of a plugin was answered",
      "method",
      "code"),
  RPC_ADD_REQUESTS(AWS_CNI, SUM, "add_ip_req_count", "Requests for an address"),
  RPC_DEL_REQUESTS(AWS_CNI, SUM, "del_ip_req_count", "Requests to release an address", "reason"),

  CIDRSET_ALLOCATIONS(
      CIDRSET, COUNTER, "cidrset_cidrs_allocations_total", "Blocks that were taken", "clusterCIDR"),
  CIDRSET_RELEASES(
      CIDRSET,
      COUNTER,
      "cidrset_cidrs_releases_total",
      "Blocks that were given back",
      "clusterCIDR"),
  CIDRSET_USAGE(CIDRSET, GAUGE, "cidrset_usage_cidrs", "Part of the blocks in use", "clusterCIDR"),
  CIDRSET_MAX(CIDRSET, GAUGE, "cirdset_max_cidrs", "Blocks of the range", "clusterCIDR"),
  CIDRSET_TRIES(
      CIDRSET,
      TRIES_HISTOGRAM,
      "cidrset_allocation_tries_per_request",
      "Taken blocks that the search for a free one passed over",
      "clusterCIDR"),
  NODE_CIDR_BLOCKS(
      NODE_CIDR, GAUGE, "blocks", "Blocks of a range", "cluster_cidr", "family", "state"),
  NODE_CIDR_NODES(NODE_CIDR, GAUGE, "nodes", "Nodes by the state of their CIDRs", "state"),
  NODE_CIDR_ASSIGNMENT(
      NODE_CIDR,
      HISTOGRAM,
      "assignment_duration_seconds",
      "Time from the first sight of a node until it has its CIDRs"),
  NODE_CIDR_WRITES(
      NODE_CIDR, COUNTER, "writes_total", "Writes of the CIDRs of a node that ended", "ending"),
  NODE_CIDR_OLDEST(
      NODE_CIDR,
      GAUGE,
      "oldest_waiting_seconds",
      "How long the node without CIDRs has waited that waits longest"),
  NODE_CIDR_CONFLICTS(NODE_CIDR, GAUGE, "conflicts", "Nodes whose CIDRs others have as well"),
  NODE_CIDR_FRONTIER(
      NODE_CIDR,
      GAUGE,
      "frontier",
      "The first block of a range that a next leader may give out at once",
      "cluster_cidr"),

  WATCH_AGE(
      WATCH,
      GAUGE,
      "age_seconds",
      "Time since the last sign of life of a watch of objects in the cluster",
      "kind");

  /** Kinds of trigger: the prefixes of the metrics that each of them has. */
  static final List<String> TRIGGERS =
      List.of("deficit_resolver", "k8s_sync", "resync", "ipam_sync");

  private final Prefix prefix;
  private final Shape shape;
  private final String suffix;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> labels;

  Metric(Prefix prefix, Shape shape, String suffix, String help, String... labels) {
    this.prefix = prefix;
    this.shape = shape;
    this.suffix = suffix;
    this.help = help;
    this.labels = List.of(labels);
  }

  /**
   * The beginning of a name; it is that of the programs that Tidemark replaces, if they have it.
   */
  public enum Prefix {
    /** Of the node manager; the setting {@code metrics-prefix} replaces it. */
    IPAM("cilium_operator_ipam_"),
    /** Of requests to the cloud; the name of the cloud replaces it. */
    CLOUD("cilium_operator_cloud_"),
    /** Of the allocators of a node. */
    AGENT("cilium_"),
    /** Of the stores of network cards. */
    AWS_CNI("awscni_"),
    /** Of the ids of nodes. */
    NODE_ID("tidemark_node_id_"),
    /** Of the ranges of the cluster. */
    CIDRSET("node_ipam_controller_"),
    /** Of the pod CIDRs of nodes. */
    NODE_CIDR("tidemark_node_cidr_"),
    /** Of watches. */
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

  /** Kind of a metric, and its buckets. */
  enum Shape {
    /** Goes up and down. */
    GAUGE,
    /** Only goes up; the name ends in {@code _total}. */
    COUNTER,
    /**
     * Only goes up, but bears the reference's name without {@code _total}, which the exposition
     * format forbids for counters: published as a gauge, to be read by {@code rate()} all the same.
     */
    SUM,
    /** Of operations: quarter, half and whole seconds to a minute. */
    HISTOGRAM,
    /** Of runs of a trigger: from 5 ms to a minute. */
    TRIGGER_HISTOGRAM,
    /** Of requests: from 5 ms to 10 s. */
    API_HISTOGRAM,
    /** Of addresses that are used again: from 10 s, around the usual cooldowns, to a day. */
    REUSE_HISTOGRAM,
    /** Of things that are counted, not timed: powers of two from 1 to 256. */
    SIZE_HISTOGRAM,
    /** Of blocks that a search passes over: powers of five from 1 to 625. */
    TRIES_HISTOGRAM
  }

  Prefix prefix() {
    return prefix;
  }

  /** The part after the prefix. */
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
        || shape == Shape.REUSE_HISTOGRAM;
  }

  String help() {
    return help;
  }

  List<String> labels() {
    return labels;
  }
}
