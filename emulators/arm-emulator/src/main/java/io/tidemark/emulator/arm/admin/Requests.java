package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.AuditLog;
import java.util.List;
import java.util.Map;

/** The requests that came, as JSON. Pure. */
final class Requests {
  /** The latest of them. */
  private static final int SHOWN_MAX = 200;

  private Requests() {}

  static Document document(AuditLog audit) {
    Document counts = Document.EMPTY;
    for (Map.Entry<String, Integer> each : audit.counts().entrySet()) {
      counts = counts.with(each.getKey(), each.getValue());
    }
    List<AuditLog.Entry> all = audit.entries();
    return Document.of("counts", counts)
        .with(
            "latest",
            all.subList(Math.max(0, all.size() - SHOWN_MAX), all.size()).stream()
                .map(
                    each ->
                        Document.of("at", each.at().toString())
                            .with("principal", each.principal())
                            .with("operation", each.operation())
                            .with("path", each.path())
                            .with("status", each.status())
                            .with("code", each.code()))
                .toList());
  }
}
