package io.tidemark.it.localstack;

import java.util.List;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;
import software.amazon.awssdk.services.ec2.model.Tag;

/** The SDK's values in fewer words. */
final class SdkValues {
  private SdkValues() {}

  static Filter filter(String name, String value) {
    return Filter.builder().name(name).values(value).build();
  }

  static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }

  /** The private IPv4 addresses, in the order of the answer. */
  static List<String> addresses(NetworkInterface one) {
    return one.privateIpAddresses().stream()
        .map(NetworkInterfacePrivateIpAddress::privateIpAddress)
        .toList();
  }
}
