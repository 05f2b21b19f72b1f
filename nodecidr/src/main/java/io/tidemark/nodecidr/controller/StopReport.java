package io.tidemark.nodecidr.controller;

import java.util.List;

/**
 * How the end went.
 *
 * @param unknown names of the nodes whose last write had no result: it may have had its effect, or
 *     have it later. When there are none, the end was clean
 */
public record StopReport(List<String> unknown) {
  public StopReport {
    unknown = List.copyOf(unknown);
  }
}
