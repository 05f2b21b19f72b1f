package io.tidemark.metrics;

import java.util.List;

/**
 * Every metric there is: name without prefix, shape, labels and meaning (node-manager 7). The page
 * docs/metrics.md is compared with it.
 */
enum Metric {
  AVAILABLE_IPS("available_ips", Shape.GAUGE, "Addresses that a node can hold", "target_node"),
  USED_IPS("used_ips", Shape.GAUGE, "Addresses in use on a node", "target_node"),
  NEEDED_IPS("needed_ips", Shape.GAUGE, "Addresses a node lacks", "target_node"),
  NODE_SPARE_IPS("node_spare_ips", Shape.GAUGE, "Spare addresses of a node", "target_node"),
  NODE_POD_CAPACITY(
      "node_pod_capacity", Shape.GAUGE, "Pods a node can give addresses to", "target_node"),
  NODE_MAX_PODS("node_max_pods", Shape.GAUGE, "Pods that a node's kubelet takes", "target_node"),
  SECOND_OWNER(
      "second_owner",
      Shape.GAUGE,
      "1 while another program writes a node's pool",
      "target_node",
      "manager"),
  USED_IPS_GONE(
      "used_ips_gone",
      Shape.GAUGE,
      "Addresses that pods of a node hold and that the cloud has taken away",
      "target_node"),
  OFFERED_NOT_TAKEN_IPS(
      "offered_not_taken_ips",
      Shape.GAUGE,
      "Addresses on offer that the agent of a node does not take up, although it wants more",
      "target_node"),
  IPS("ips", Shape.GAUGE, "Addresses of all nodes: used, available or needed", "type"),
  AVAILABLE_INTERFACES(
      "available_interfaces", Shape.GAUGE, "Interfaces with room and empty slots of all nodes"),
  INTERFACE_CANDIDATES("interface_candidates", Shape.GAUGE, "Interfaces with room of all nodes"),
  EMPTY_INTERFACE_SLOTS("empty_interface_slots", Shape.GAUGE, "Empty interface slots of all nodes"),
  AVAILABLE_IPS_PER_SUBNET(
      "available_ips_per_subnet",
      Shape.GAUGE,
      "Free addresses of a subnet",
      "subnet_id",
      "availability_zone"),
  NODES("nodes", Shape.GAUGE, "Nodes: total, in-deficit or at-capacity", "category"),
  RESYNC_TOTAL("resync_total", Shape.COUNTER, "Full scans that reached the nodes"),
  IP_ALLOCATION_OPS(
      "ip_allocation_ops", Shape.SUM, "Addresses allocated since the start", "subnet_id"),
  IP_RELEASE_OPS("ip_release_ops", Shape.SUM, "Addresses released since the start", "subnet_id"),
  INTERFACE_CREATION_OPS(
      "interface_creation_ops", Shape.SUM, "Interfaces created since the start", "subnet_id"),
  ALLOCATION_DURATION(
      "allocation_duration_seconds",
      Shape.HISTOGRAM,
      "Time of one allocation",
      "type",
      "status",
      "subnet_id"),
  RELEASE_DURATION(
      "release_duration_seconds",
      Shape.HISTOGRAM,
      "Time of one release",
      "type",
      "status",
      "subnet_id"),
  BACKGROUND_SYNC_DURATION(
      "background_sync_duration_seconds", Shape.HISTOGRAM, "Time of one full scan", "status"),
  RELEASE_HANDSHAKE(
      "release_handshake", Shape.GAUGE, "Addresses in each state of the handshake", "state"),
  HANDSHAKE_ABORTED(
      "handshake_aborted_total", Shape.COUNTER, "Releases that were called off", "reason"),
  SYNC_CONFLICTS("sync_conflicts_total", Shape.COUNTER, "Writes that met a newer object"),
  INSTANCES_API_READY("instances_api_ready", Shape.GAUGE, "1 while changes are allowed, else 0"),
  NODES_STUCK("nodes_stuck", Shape.GAUGE, "Blocked nodes", "reason"),
  OLDEST_DEFICIT("oldest_deficit_seconds", Shape.GAUGE, "Age of the oldest deficit not served yet"),
  CACHE_AGE("cache_age_seconds", Shape.GAUGE, "Age of the cached inventory"),

  TRIGGER_QUEUED("queued_total", Shape.COUNTER, "Requests to run"),
  TRIGGER_FOLDS("folds", Shape.GAUGE, "Requests answered by the last run"),
  TRIGGER_DURATION("duration_seconds", Shape.TRIGGER_HISTOGRAM, "Time of one run"),
  TRIGGER_LATENCY(
      "latency_seconds", Shape.TRIGGER_HISTOGRAM, "Time from the first request to the run"),

  API_DURATION(
      "api_duration_seconds",
      Shape.API_HISTOGRAM,
      "Time of one request to the cloud",
      "operation",
      "response_code"),
  API_RATE_LIMIT_DURATION(
      "api_rate_limit_duration_seconds",
      Shape.API_HISTOGRAM,
      "Time that a request waited for its turn",
      "operation"),
  API_RETRIES(
      "api_retries_total", Shape.COUNTER, "Requests sent once more after a failure", "operation"),
  API_HELD_BACK(
      "api_held_back",
      Shape.GAUGE,
      "1 while requests are held back because the cloud failed too often, else 0",
      "effect"),
  API_RATE(
      "api_rate_per_second",
      Shape.GAUGE,
      "Requests that the cloud is believed to allow",
      "operation"),

  ENI_FALLBACK(
      "prefix_fallback_total",
      Shape.COUNTER,
      "Requests for addresses in another way than the first",
      "rung"),
  ENI_IN_FLIGHT(
      "subnet_inflight_addresses",
      Shape.GAUGE,
      "Addresses that requests on the way will take",
      "subnet"),
  ENI_COUNT_AGE(
      "subnet_count_age_seconds",
      Shape.GAUGE,
      "Age of the count of a subnet's free addresses at the last full scan",
      "subnet"),
  ENI_QUARANTINED(
      "release_quarantined_addresses",
      Shape.GAUGE,
      "Released addresses that do not count as free yet",
      "subnet"),
  ENI_OPERATION_DURATION(
      "lro_duration_seconds",
      Shape.HISTOGRAM,
      "Time of one long-running operation",
      "operation",
      "outcome"),
  ENI_STALE_ETAG(
      "etag_conflicts_total",
      Shape.COUNTER,
      "Changes refused because the resource had changed since it was read"),
  API_REMAINING(
      "api_remaining_requests",
      Shape.GAUGE,
      "What the last response said is left of a bucket of the cloud",
      "bucket"),
  ENI_LIMITS(
      "limits_source",
      Shape.GAUGE,
      "1 for where the limits of an instance type come from, else 0",
      "type",
      "source"),
  ENI_GC_STATE(
      "eni_gc_state",
      Shape.GAUGE,
      "1 for how the collection of left-over interfaces stands, else 0",
      "state"),
  ENI_GC_CANDIDATES(
      "eni_gc_candidates_total", Shape.COUNTER, "Left-over interfaces that were found"),
  ENI_GC_DELETED("eni_gc_deleted_total", Shape.COUNTER, "Left-over interfaces that were deleted"),
  ENI_GC_FAILED(
      "eni_gc_failed_total", Shape.COUNTER, "Deletions of left-over interfaces that failed"),

  AGENT_EVENTS(
      "ipam_events_total", Shape.COUNTER, "Addresses allocated and released", "action", "family"),
  AGENT_ATTEMPTS(
      "ipam_allocation_attempts", Shape.SUM, "Requests for an address", "family", "outcome"),
  AGENT_CAPACITY("ipam_capacity", Shape.GAUGE, "Addresses that can be allocated", "family"),
  AGENT_AVAILABLE("ipam_available", Shape.GAUGE, "Addresses that are free", "family"),
  AGENT_USED("ipam_used", Shape.GAUGE, "Addresses in use or cooling", "family"),
  AGENT_COOLING(
      "ipam_cooling",
      Shape.GAUGE,
      "Released addresses that nobody else gets yet",
      "pool",
      "family"),
  AGENT_REUSE_DISTANCE(
      "ipam_reuse_distance_seconds",
      Shape.REUSE_HISTOGRAM,
      "Time from the release of an address to its next allocation",
      "pool",
      "family"),
  AGENT_EXCLUDED(
      "ipam_excluded", Shape.GAUGE, "Addresses reserved from allocation", "pool", "family"),
  AGENT_PENDING(
      "ipam_pending", Shape.GAUGE, "Owners that found no address of a pool", "pool", "family"),
  AGENT_QUARANTINED(
      "ipam_quarantined",
      Shape.GAUGE,
      "Addresses in blocks that may still be under release",
      "pool",
      "family"),
  AGENT_OFFERED_NOT_TAKEN_IPS(
      "ipam_offered_not_taken_ips",
      Shape.GAUGE,
      "Addresses on offer that are not handed out although nothing speaks against it",
      "pool",
      "family"),
  AGENT_OFFER_REBUILT(
      "ipam_offer_rebuilt_total",
      Shape.COUNTER,
      "Pools built anew because addresses on offer were not handed out"),

  AGENT_CNI_REQUESTS(
      "cni_requests_total", Shape.COUNTER, "Answers to CNI plugins", "command", "code"),
  AGENT_CNI_DURATION(
      "cni_duration_seconds",
      Shape.API_HISTOGRAM,
      "Time until a CNI plugin was answered",
      "command"),
  AGENT_CNI_WAITING("cni_waiting", Shape.GAUGE, "Pods that wait for an address"),

  STORE_ENIS("eni_allocated", Shape.GAUGE, "Interfaces of the card", "card"),
  STORE_TOTAL("total_ip_addresses", Shape.GAUGE, "Addresses of interfaces that take pods", "card"),
  STORE_ASSIGNED("assigned_ip_addresses", Shape.GAUGE, "Addresses that pods have", "card"),
  STORE_PREFIXES(
      "total_ipv4_prefixes",
      Shape.GAUGE,
      "Delegated IPv4 prefixes of interfaces that take pods",
      "card"),
  STORE_COOLING(
      "cooling_ip_addresses", Shape.GAUGE, "Released addresses that no other pod gets yet", "card"),
  STORE_ORPHANS(
      "orphan_ip_addresses",
      Shape.GAUGE,
      "Assignments whose addresses the node does not have",
      "card"),
  STORE_LOST(
      "lost_ip_addresses",
      Shape.GAUGE,
      "Assignments whose addresses left the node while a pod had them",
      "card"),
  STORE_ASSIGNED_PER_ENI(
      "assigned_ip_per_eni",
      Shape.GAUGE,
      "Addresses of an interface that pods have",
      "card",
      "eni"),
  STORE_ASSIGNED_PER_CIDR(
      "assigned_ip_per_cidr",
      Shape.GAUGE,
      "Addresses of a secondary address or prefix that pods have",
      "card",
      "cidr"),
  STORE_PLAN_SHORT(
      "plan_short", Shape.GAUGE, "Addresses or prefixes that the targets lack", "card"),
  STORE_PLAN_OVER(
      "plan_over", Shape.GAUGE, "Addresses or prefixes that the targets do not need", "card"),
  STORE_NO_ADDRESS(
      "no_available_ip_addresses", Shape.SUM, "Requests that found no address", "card"),
  STORE_FORCED_ENIS(
      "force_removed_enis", Shape.SUM, "Interfaces that left although pods used them", "card"),
  STORE_FORCED_IPS(
      "force_removed_ips", Shape.SUM, "Addresses that left although pods used them", "card"),
  STORE_CUT_SHORT(
      "cooldown_cut_short_total",
      Shape.COUNTER,
      "Addresses assigned before their cooldown was over",
      "card"),
  STORE_REUSE_DISTANCE(
      "reuse_distance_seconds",
      Shape.REUSE_HISTOGRAM,
      "Time from the release of an address to its next assignment",
      "card"),
  STORE_ENI_MAX("eni_max", Shape.GAUGE, "Interfaces that the card can have", "card"),
  STORE_IP_MAX("ip_max", Shape.GAUGE, "Addresses that these interfaces can have", "card"),
  STORE_CORRECTIONS(
      "reconcile_count",
      Shape.SUM,
      "Interfaces and blocks added or removed because the cloud showed that",
      "card",
      "fn"),
  STORE_ERRORS("ipamd_error_count", Shape.SUM, "Requests to the cloud that failed", "fn"),
  STORE_IN_PROGRESS(
      "ipamd_action_inprogress", Shape.GAUGE, "Requests to the cloud under way", "fn"),
  STORE_BATCH_SIZE(
      "checkpoint_batch_size",
      Shape.SIZE_HISTOGRAM,
      "Changes in one write of the checkpoint",
      "card"),
  STORE_CHECKPOINT_DURATION(
      "checkpoint_duration_seconds",
      Shape.API_HISTOGRAM,
      "Time of one write of the checkpoint",
      "card"),
  STORE_CHECKPOINT_FAILURES(
      "checkpoint_failures_total", Shape.COUNTER, "Writes of the checkpoint that failed", "card"),

  NODE_ID_IDS("ids", Shape.GAUGE, "Ids by their state", "state"),
  NODE_ID_NODES("nodes", Shape.GAUGE, "Nodes by the state of their ids", "state"),
  NODE_ID_CLAIM_DURATION(
      "claim_duration_seconds",
      Shape.HISTOGRAM,
      "Time from the first sight of a node until it shows its id"),
  NODE_ID_CONFLICTS("conflicts", Shape.GAUGE, "Nodes whose id another node has or shows as well"),
  NODE_ID_REASSERTED(
      "reasserted_total", Shape.COUNTER, "Claims that were lost and were made again"),

  RPC_DURATION(
      "rpc_duration_seconds",
      Shape.API_HISTOGRAM,
      "Time until a call of a plugin was answered",
      "method",
      "code"),
  RPC_ADD_REQUESTS("add_ip_req_count", Shape.SUM, "Requests for an address"),
  RPC_DEL_REQUESTS("del_ip_req_count", Shape.SUM, "Requests to release an address", "reason"),

  CIDRSET_ALLOCATIONS(
      "cidrset_cidrs_allocations_total", Shape.COUNTER, "Blocks that were taken", "clusterCIDR"),
  CIDRSET_RELEASES(
      "cidrset_cidrs_releases_total", Shape.COUNTER, "Blocks that were given back", "clusterCIDR"),
  CIDRSET_USAGE("cidrset_usage_cidrs", Shape.GAUGE, "Part of the blocks in use", "clusterCIDR"),
  CIDRSET_MAX("cirdset_max_cidrs", Shape.GAUGE, "Blocks of the range", "clusterCIDR"),
  CIDRSET_TRIES(
      "cidrset_allocation_tries_per_request",
      Shape.TRIES_HISTOGRAM,
      "Taken blocks that the search for a free one passed over",
      "clusterCIDR"),
  NODE_CIDR_BLOCKS("blocks", Shape.GAUGE, "Blocks of a range", "cluster_cidr", "family", "state"),
  NODE_CIDR_NODES("nodes", Shape.GAUGE, "Nodes by the state of their CIDRs", "state"),
  NODE_CIDR_ASSIGNMENT(
      "assignment_duration_seconds",
      Shape.HISTOGRAM,
      "Time from the first sight of a node until it has its CIDRs"),
  NODE_CIDR_WRITES(
      "writes_total", Shape.COUNTER, "Writes of the CIDRs of a node that ended", "ending"),
  NODE_CIDR_OLDEST(
      "oldest_waiting_seconds",
      Shape.GAUGE,
      "How long the node without CIDRs has waited that waits longest"),
  NODE_CIDR_CONFLICTS("conflicts", Shape.GAUGE, "Nodes whose CIDRs others have as well"),
  NODE_CIDR_FRONTIER(
      "frontier",
      Shape.GAUGE,
      "The first block of a range that a next leader may give out at once",
      "cluster_cidr"),

  WATCH_AGE(
      "age_seconds",
      Shape.GAUGE,
      "Time since the last sign of life of a watch of objects in the cluster",
      "kind");

  /** Kinds of trigger: the prefixes of the metrics that each of them has. */
  static final List<String> TRIGGERS =
      List.of("deficit_resolver", "k8s_sync", "resync", "ipam_sync");

  private final String suffix;
  private final Shape shape;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> labels;

  Metric(String suffix, Shape shape, String help, String... labels) {
    this.suffix = suffix;
    this.shape = shape;
    this.help = help;
    this.labels = List.of(labels);
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
