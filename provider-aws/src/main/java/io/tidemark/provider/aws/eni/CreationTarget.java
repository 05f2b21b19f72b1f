package io.tidemark.provider.aws.eni;

import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.spi.InstanceId;
import java.util.List;

/**
 * Where a new interface belongs.
 *
 * @param attached what is attached to the instance, ids ascending
 * @param index device index it is for
 * @param deleteOnTermination whether it shall go with the instance
 * @param tracking timeouts of idle connections
 */
record CreationTarget(
    InstanceId instance,
    EniSlots slots,
    List<AwsEni> attached,
    int index,
    List<String> securityGroups,
    boolean deleteOnTermination,
    int ipv6Prefixes,
    ConnectionTracking tracking) {
  CreationTarget {
    attached = List.copyOf(attached);
    securityGroups = List.copyOf(securityGroups);
  }

  CreationTarget at(int otherIndex) {
    return new CreationTarget(
        instance,
        slots,
        attached,
        otherIndex,
        securityGroups,
        deleteOnTermination,
        ipv6Prefixes,
        tracking);
  }
}
