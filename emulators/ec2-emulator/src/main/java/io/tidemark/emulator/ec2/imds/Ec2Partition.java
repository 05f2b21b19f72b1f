package io.tidemark.emulator.ec2.imds;

/**
 * The part of AWS that a region belongs to ("AWS partitions", AWS General Reference).
 *
 * @param id the second part of every ARN there
 * @param domain of the service endpoints there
 */
record Ec2Partition(String id, String domain) {
  static Ec2Partition of(String region) {
    if (region.startsWith("cn-")) {
      return new Ec2Partition("aws-cn", "amazonaws.com.cn");
    }
    return new Ec2Partition(region.startsWith("us-gov-") ? "aws-us-gov" : "aws", "amazonaws.com");
  }
}
