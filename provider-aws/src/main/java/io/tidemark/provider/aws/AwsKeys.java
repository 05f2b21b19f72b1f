package io.tidemark.provider.aws;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The keys of the provider's settings. Names that the reference has are kept. */
final class AwsKeys {
  static final String REGION = "aws-region";
  static final String EC2_ENDPOINT = "ec2-api-endpoint";
  static final String STS_ENDPOINT = "sts-api-endpoint";
  static final String METADATA_ENDPOINT = "aws-metadata-endpoint";
  static final String FIPS = "aws-use-fips-endpoint";
  static final String DUAL_STACK = "aws-use-dualstack-endpoint";
  static final String CA_BUNDLE = "aws-ca-bundle";
  static final String ROLE = "aws-assume-role-arn";
  static final String ROLE_EXTERNAL_ID = "aws-assume-role-external-id";
  static final String NETWORK_ROLE = "aws-network-role-arn";
  static final String NETWORK_ROLE_EXTERNAL_ID = "aws-network-role-external-id";
  static final String API_SHARE = "ec2-api-share";
  static final String PAGE_SIZE = "aws-max-results-per-call";
  static final String SUBNET_IDS = "subnet-ids-filter";
  static final String SUBNET_TAGS = "subnet-tags-filter";
  static final String INSTANCE_TAGS = "instance-tags-filter";
  static final String ENI_TAGS = "eni-tags";
  static final String GC_TAGS = "eni-gc-tags";
  static final String GC_INTERVAL = "eni-gc-interval";
  static final String GC_ALLOW_UNNAMED = "eni-gc-allow-unnamed";
  static final String DESCRIPTION = "eni-description";
  static final String RESERVED = "reserved-enis";
  static final String GROUPS_MAX = "security-groups-per-eni";
  static final String LIMITS = "aws-instance-limit-mapping";
  static final String PRIMARY = "aws-use-primary-address";
  static final String PATH = "allocation-path";
  static final String IPV6 = "enable-ipv6-prefixes";
  static final String SUBNET_FALLBACK = "subnet-fallback";
  static final String PD_STICKY = "pd-sticky";
  static final String PARITY_CAPACITY = "parity-capacity";
  static final String CLUSTER_ID = "cluster-uid";
  static final String TRUNKS = "manage-trunk";
  static final String HORIZON = "consistency-horizon";
  static final String ENI_RELEASE = "eni-release";
  static final String SUBNET_ROLES = "subnet-role-tags";
  static final String FOREIGN = "manage-foreign-enis";
  static final String RECONCILE_GROUPS = "reconcile-security-groups";
  static final String RETIRE_SUBNETS = "retire-untagged-subnets";
  static final String COPY_TRACKING = "copy-conntrack";

  /** For {@code --help} and docs/aws.md, in the order of their names. */
  static final Map<String, String> MEANINGS = meanings();

  private AwsKeys() {}

  private static Map<String, String> meanings() {
    Map<String, String> all = new TreeMap<>();
    all.put(REGION, "region (default: of the environment, the profile, the instance's metadata)");
    all.put(EC2_ENDPOINT, "EC2 instead of the region's own: host name or URL, http to loopback");
    all.put(STS_ENDPOINT, "STS instead of the region's own: host name or URL, http to loopback");
    all.put(METADATA_ENDPOINT, "instance metadata (default: http://169.254.169.254)");
    all.put(FIPS, "use the region's FIPS endpoints (default: false)");
    all.put(DUAL_STACK, "use the region's dual-stack endpoints (default: false)");
    all.put(CA_BUNDLE, "PEM file of authorities to trust instead of those of the Java runtime");
    all.put(ROLE, "role to take on from the credentials that are found");
    all.put(ROLE_EXTERNAL_ID, "external id for that role");
    all.put(NETWORK_ROLE, "role in the account that owns VPC and subnets, when it is another one");
    all.put(NETWORK_ROLE_EXTERNAL_ID, "external id for that role");
    all.put(API_SHARE, "our share of EC2's documented request rates, 0.01 to 10 (default: 1)");
    all.put(PAGE_SIZE, "items per answer, 5 to 1000; 0 for 1000, 500 or 100 (default: 0)");
    all.put(SUBNET_IDS, "ids of the only subnets in which interfaces are created");
    all.put(SUBNET_TAGS, "tags, name=value, of the only subnets in which interfaces are created");
    all.put(
        INSTANCE_TAGS, "tags, name=value, of the only instances whose interfaces are looked for");
    all.put(ENI_TAGS, "tags, name=value, on every interface that is created");
    all.put(GC_TAGS, "tags, name=value, by which left-over interfaces are known, instead of ours");
    all.put(
        GC_INTERVAL,
        "how often left-over interfaces are deleted, 1m to 24h; 0 for never" + " (default: 5m)");
    all.put(
        GC_ALLOW_UNNAMED, "delete left-over interfaces without a cluster-name (default: false)");
    all.put(DESCRIPTION, "what descriptions of created interfaces begin with (default: Tidemark)");
    all.put(RESERVED, "places of network card 0 that are left free, 0 to 15 (default: 0)");
    all.put(GROUPS_MAX, "security groups that an interface may have, 1 to 16 (default: 5)");
    all.put(LIMITS, "limits that win over EC2's: TYPE=INTERFACES,IPV4,IPV6[,nitro|xen[,metal]]");
    all.put(PRIMARY, "is gone: use-primary-address in each node's spec; only false is accepted");
    all.put(PATH, "cheapest, or fastest at the price of more interfaces (default: cheapest)");
    all.put(IPV6, "give each node an IPv6 /80 block (default: false)");
    all.put(
        SUBNET_FALLBACK, "a subnet constraint that matches nothing does not hold (default: false)");
    all.put(
        PD_STICKY,
        "one interface with single addresses ends /28 blocks for the node, as the"
            + " reference does (default: false)");
    all.put(
        PARITY_CAPACITY,
        "count a usable primary address 16 times with /28 blocks, as the"
            + " reference does (default: false)");
    all.put(
        CLUSTER_ID,
        "sets clusters of one name apart (default: in a cluster the UID of kube-system)");
    all.put(TRUNKS, "let trunk interfaces of security groups for pods serve pods (default: false)");
    all.put(HORIZON, "how far EC2's answers may lie behind, 1s to 10m (default: 60s)");
    all.put(
        ENI_RELEASE,
        "give back interfaces of ours that are empty for ten minutes; needs release-excess-ips"
            + " (default: false)");
    all.put(
        SUBNET_ROLES,
        "heed the subnets' tags kubernetes.io/role/cni, as Amazon's plugin does (default: false)");
    all.put(FOREIGN, "let interfaces that we did not create serve pods, too (default: true)");
    all.put(
        RECONCILE_GROUPS,
        "give our interfaces the security groups that new ones would get (default: false)");
    all.put(
        RETIRE_SUBNETS,
        "add nothing to our interfaces in subnets that lost their tags; with release-excess-ips"
            + " empty them (default: false)");
    all.put(
        COPY_TRACKING,
        "let new interfaces remember idle connections as long as the instance's own"
            + " (default: false)");
    return Collections.unmodifiableMap(all);
  }
}
