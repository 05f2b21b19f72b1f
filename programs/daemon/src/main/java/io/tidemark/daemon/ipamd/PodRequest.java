package io.tidemark.daemon.ipamd;

import io.tidemark.datastore.checkpoint.IpamKey;

/**
 * The plugin asks for an address of a pod, or gives back what the pod has.
 *
 * @param key of the sandbox; parts that the client left out are empty
 * @param podNamespace empty when unknown
 * @param podName empty when unknown
 * @param clientVersion as the plugin was built with it; empty when it was built without one
 */
public record PodRequest(IpamKey key, String podNamespace, String podName, String clientVersion) {}
