package io.tidemark.provider.aws.ec2;

/** A separate part of AWS: own accounts, own names in every ARN. */
public enum Partition {
  AWS("aws", "amazonaws.com"),
  AWS_CN("aws-cn", "amazonaws.com.cn"),
  AWS_US_GOV("aws-us-gov", "amazonaws.com");

  private final String id;
  private final String domain;

  Partition(String id, String domain) {
    this.id = id;
    this.domain = domain;
  }

  /** The partition of a region. */
  public static Partition of(String region) {
    if (region.startsWith("cn-")) {
      return AWS_CN;
    }
    return region.startsWith("us-gov-") ? AWS_US_GOV : AWS;
  }

  /** The id of the partition in ARNs. */
  public String id() {
    return id;
  }

  /** The domain of its endpoints. */
  public String domain() {
    return domain;
  }

  /** An ARN; region or account empty where the service has none. */
  public String arn(String service, String region, String account, String resource) {
    return "arn:" + id + ":" + service + ":" + region + ":" + account + ":" + resource;
  }
}
