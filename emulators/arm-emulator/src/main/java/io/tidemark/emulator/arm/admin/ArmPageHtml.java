package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.arm.model.AuditLog;
import io.tidemark.emulator.kit.http.Html;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the page for people: what there is, which faults are in force, and what was asked for. */
final class ArmPageHtml {
  /** Rows of one table; the state has them all. */
  private static final int ROWS_MAX = 500;

  private static final int REQUESTS_MAX = 50;

  private ArmPageHtml() {}

  static String of(ArmModel world, Instant now) {
    Html page = Html.page("Azure Resource Manager emulator");
    page.element("p", "As of " + now.truncatedTo(ChronoUnit.SECONDS) + ".");
    Document state = world.state();
    resources(page, "Subnets", state.objects("subnets"), List.of("used", "limit"));
    resources(
        page, "Machines", state.objects("machines"), List.of("provisioningState", "power", "etag"));
    resources(
        page,
        "Network interfaces",
        state.objects("interfaces"),
        List.of("provisioningState", "addresses"));
    resources(page, "Public prefixes", state.objects("publicPrefixes"), List.of("prefix", "used"));
    List<String> columns =
        List.of("operation", "on", "kind", "status", "code", "probability", "skip", "times");
    table(
        page,
        "Faults in force",
        columns,
        world.faults().rules().stream()
            .map(ArmFault::document)
            .map(each -> columns.stream().map(key -> text(each.get(key))).toList())
            .toList());
    table(
        page,
        "Requests by operation",
        List.of("operation", "count"),
        world.audit().counts().entrySet().stream()
            .map(each -> List.of(each.getKey(), each.getValue().toString()))
            .toList());
    latest(page, world.audit());
    return page.endPage();
  }

  /** A table of resources: group and name of each, then these members. */
  private static void resources(
      Html page, String caption, List<Document> all, List<String> members) {
    List<String> heads = new ArrayList<>(List.of("group", "name"));
    heads.addAll(members);
    table(
        page,
        caption,
        heads,
        all.stream()
            .map(
                each -> {
                  List<String> cells = new ArrayList<>(named(each.text("id").orElse("")));
                  members.forEach(key -> cells.add(text(each.get(key))));
                  return cells;
                })
            .toList());
  }

  /** The group of an id with its subscription, and types and names of the resource in it. */
  private static List<String> named(String id) {
    String[] parts = id.split("(?i)/providers/microsoft\\.[a-z]+/", 2);
    return parts.length < 2
        ? List.of("", id)
        : List.of(parts[0].replaceFirst("(?i)^/subscriptions/", ""), parts[1]);
  }

  private static void latest(Html page, AuditLog audit) {
    List<AuditLog.Entry> all = new ArrayList<>(audit.entries());
    Collections.reverse(all);
    table(
        page,
        "Latest requests",
        List.of("at", "principal", "operation", "status", "code"),
        all.stream()
            .limit(REQUESTS_MAX)
            .map(
                each ->
                    List.of(
                        each.at().truncatedTo(ChronoUnit.MILLIS).toString(),
                        each.principal(),
                        each.operation(),
                        Integer.toString(each.status()),
                        each.code()))
            .toList());
  }

  /** Nothing for a table without rows. */
  private static void table(
      Html page, String caption, List<String> heads, List<? extends List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    page.table(caption, heads);
    rows.stream().limit(ROWS_MAX).forEach(page::row);
    page.endTable();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
    return Integer.valueOf(Integer.MAX_VALUE).equals(value)
        ? "" // without a limit
        : String.valueOf(value).replaceFirst("^PowerState/", "");
  }
}
