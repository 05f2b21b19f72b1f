package io.tidemark.provider.mock;

import io.tidemark.spi.InstanceId;
import java.util.List;

/**
 * Where a new interface belongs.
 *
 * @param attached what is attached to the instance, ids ascending
 * @param index device index it is for
 * @param deleteOnTermination whether it shall go with the instance
 */
record CreationTarget(
    InstanceId instance,
    MockSlots slots,
    List<Eni> attached,
    int index,
    List<String> securityGroups,
    boolean deleteOnTermination) {
  CreationTarget {
    attached = List.copyOf(attached);
    securityGroups = List.copyOf(securityGroups);
  }
}
