package io.tidemark.datastore.legacy;

import io.tidemark.datastore.checkpoint.IpamKey;

/** The address of a sandbox, and the device number of its interface. */
public record PodIpInfo(IpamKey ipamKey, String ip, int deviceNumber) {}
