package io.tidemark.daemon.ipamd;

import io.tidemark.datastore.Assignment;
import java.util.List;

/**
 * The addresses of a pod and how the plugin routes its traffic.
 *
 * @param form as the client reads it
 * @param success whether the pod has an address
 * @param assignments one for each network card that was asked for, none without success
 * @param routing of the VPC
 */
public record AddReply(
    WireForm form, boolean success, List<Assignment> assignments, VpcRouting routing) {
  public AddReply {
    assignments = List.copyOf(assignments);
  }
}
