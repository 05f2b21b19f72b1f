package io.tidemark.daemon.ipamd;

import io.tidemark.datastore.Assignment;
import java.util.List;

/**
 * The addresses that a pod had, so that the plugin removes its rules and routes.
 *
 * @param form as the client reads it
 * @param success whether the request was valid
 * @param assignments none without success
 */
public record DelReply(WireForm form, boolean success, List<Assignment> assignments) {
  public DelReply {
    assignments = List.copyOf(assignments);
  }
}
