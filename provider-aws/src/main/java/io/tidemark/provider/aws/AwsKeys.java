package io.tidemark.provider.aws;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The provider's settings. Names that the reference has are kept. */
final class AwsKeys {
  private static final Options ALL = new Options();

  private static final String ROLE_ARN =
      "arn:aws(-cn|-us-gov)?:iam::[0-9]{12}:role/[\\w+=,.@/-]{1,576}";
  private static final String ID_OF_OTHERS = "[\\w+=,.@:/-]{2,1224}";

  /** Which of two ways to more addresses is taken. */
  enum AllocationPath {
    CHEAPEST,
    FASTEST
  }

  static final Option<String> REGION =
      ALL.text(
          "aws-region",
          "",
          "[a-z]{2,}(-[a-z0-9]+)+-[0-9]+",
          "a region such as eu-central-1",
          "region (default: from the environment, the profile, or the instance metadata)");
  static final Option<String> EC2_ENDPOINT =
      ALL.raw(
          "ec2-api-endpoint",
          "endpoint of EC2: host name or URL, http for loopback only; unset, the region's");
  static final Option<String> STS_ENDPOINT =
      ALL.raw(
          "sts-api-endpoint",
          "endpoint of STS: host name or URL, http for loopback only; unset, the region's");
  static final Option<String> METADATA_ENDPOINT =
      ALL.raw(
          "aws-metadata-endpoint",
          "endpoint of instance metadata (default: http://169.254.169.254)");
  static final Option<Boolean> FIPS =
      ALL.flag("aws-use-fips-endpoint", false, "use the region's FIPS endpoints");
  static final Option<Boolean> DUAL_STACK =
      ALL.flag("aws-use-dualstack-endpoint", false, "use the region's dual-stack endpoints");
  static final Option<String> CA_BUNDLE =
      ALL.raw(
          "aws-ca-bundle",
          "PEM file of trusted certificate authorities; unset, those of the Java runtime");
  static final Option<String> ROLE =
      ALL.text(
          "aws-assume-role-arn",
          "",
          ROLE_ARN,
          "arn:aws:iam::ACCOUNT:role/NAME",
          "role to assume with the credentials that are found");
  static final Option<String> ROLE_EXTERNAL_ID =
      ALL.secret(
          "aws-assume-role-external-id",
          ID_OF_OTHERS,
          "2 to 1224 characters",
          "external ID of that role");
  static final Option<String> NETWORK_ROLE =
      ALL.text(
          "aws-network-role-arn",
          "",
          ROLE_ARN,
          "arn:aws:iam::ACCOUNT:role/NAME",
          "role in the other account that owns VPC and subnets");
  static final Option<String> NETWORK_ROLE_EXTERNAL_ID =
      ALL.secret(
          "aws-network-role-external-id",
          ID_OF_OTHERS,
          "2 to 1224 characters",
          "external ID of that role");
  static final Option<Double> API_SHARE =
      ALL.decimal(
          "ec2-api-share", 1, 0.01, 10, "share of EC2's documented request rates to use, {}");
  static final Option<Integer> PAGE_SIZE =
      ALL.integer(
          "aws-max-results-per-call",
          0,
          0,
          1000,
          "items per response, 5 to 1000; 0 for 1000, 500 or 100");
  static final Option<List<String>> SUBNET_IDS =
      ALL.list("subnet-ids-filter", "IDs of the only subnets for new interfaces");
  static final Option<Map<String, String>> SUBNET_TAGS =
      ALL.map("subnet-tags-filter", "tags, name=value, of the only subnets for new interfaces");
  static final Option<Map<String, String>> INSTANCE_TAGS =
      ALL.map("instance-tags-filter", "tags, name=value, of the only instances to manage");
  static final Option<Map<String, String>> ENI_TAGS =
      ALL.map("eni-tags", "tags, name=value, on every interface that is created");
  static final Option<Map<String, String>> GC_TAGS =
      ALL.map(
          "eni-gc-tags",
          "tags, name=value, that identify orphaned interfaces, instead of the ownership tags");
  static final Option<Duration> GC_INTERVAL =
      ALL.duration(
          "eni-gc-interval",
          "5m",
          "0",
          "24h",
          "interval of deleting orphaned interfaces, 1m to 24h; 0 for never");
  static final Option<Boolean> GC_ALLOW_UNNAMED =
      ALL.flag("eni-gc-allow-unnamed", false, "delete orphaned interfaces without a cluster-name");
  static final Option<String> DESCRIPTION =
      ALL.text(
          "eni-description",
          "Tidemark",
          "[\\w .:/()#,@+=;{}!$*\\[\\]-]{1,100}",
          "1 to 100 letters and digits",
          "prefix of the descriptions of created interfaces");
  static final Option<Integer> RESERVED =
      ALL.integer(
          "reserved-enis", 0, 0, 15, "interface slots of network card 0 that are left free, {}");
  static final Option<Integer> GROUPS_MAX =
      ALL.integer(
          "security-groups-per-eni", 5, 1, 16, "security groups that an interface may have, {}");
  static final Option<String> LIMITS =
      ALL.raw(
          "aws-instance-limit-mapping",
          "limits that override EC2's: TYPE=INTERFACES,IPV4,IPV6[,nitro|xen[,metal]]");
  static final Option<Boolean> PRIMARY =
      ALL.flag(
          "aws-use-primary-address",
          false,
          "removed; set use-primary-address in spec.eni of each node");
  static final Option<AllocationPath> PATH =
      ALL.choice(
          "allocation-path",
          AllocationPath.CHEAPEST,
          "cheapest, or fastest at the cost of more interfaces");
  static final Option<Boolean> IPV6 =
      ALL.flag("enable-ipv6-prefixes", false, "give each node an IPv6 /80 block");
  static final Option<Boolean> SUBNET_FALLBACK =
      ALL.flag("subnet-fallback", false, "ignore a subnet constraint that matches nothing");
  static final Option<Boolean> PD_STICKY =
      ALL.flag(
          "pd-sticky", false, "single addresses on one interface turn /28 blocks off for the node");
  static final Option<Boolean> PARITY_CAPACITY =
      ALL.flag(
          "parity-capacity", false, "with /28 blocks, count a usable primary address 16 times");
  static final Option<String> CLUSTER_ID =
      ALL.text(
          "cluster-uid",
          "",
          "[A-Za-z0-9-]{1,64}",
          "1 to 64 letters, digits and dashes",
          "distinguishes clusters of the same name (default: in a cluster the UID of kube-system)");
  static final Option<Boolean> TRUNKS =
      ALL.flag(
          "manage-trunk", false, "let trunk interfaces of security groups for pods serve pods");
  static final Option<Duration> HORIZON = ALL.with(SharedKey.CONSISTENCY_HORIZON);
  static final Option<Boolean> ENI_RELEASE =
      ALL.flag(
          "eni-release",
          false,
          "delete own interfaces that are empty for ten minutes; needs release-excess-ips");
  static final Option<Boolean> SUBNET_ROLES =
      ALL.flag("subnet-role-tags", false, "respect the tags kubernetes.io/role/cni of subnets");
  static final Option<Boolean> FOREIGN =
      ALL.flag(
          "manage-foreign-enis", true, "use interfaces that Tidemark did not create for pods too");
  static final Option<Boolean> RECONCILE_GROUPS =
      ALL.flag(
          "reconcile-security-groups",
          false,
          "give own interfaces the security groups of new ones");
  static final Option<Boolean> RETIRE_SUBNETS =
      ALL.flag(
          "retire-untagged-subnets",
          false,
          "retire own interfaces in subnets that lost their tags");
  static final Option<Boolean> COPY_TRACKING =
      ALL.flag(
          "copy-conntrack",
          false,
          "copy connection tracking timeouts of the primary interface to new ones");

  private AwsKeys() {}

  static List<Option<?>> all() {
    return ALL.all();
  }
}
