package io.tidemark.daemon.ipamd;

import io.tidemark.datastore.Assignment;
import java.util.List;

/**
 * The addresses that a pod has, or had, so that the plugin makes or removes its rules and routes.
 *
 * @param form as the client reads it
 * @param success whether the pod has an address, or the request to release it was valid
 * @param assignments none without success
 */
public record PodReply(WireForm form, boolean success, List<Assignment> assignments) {}
