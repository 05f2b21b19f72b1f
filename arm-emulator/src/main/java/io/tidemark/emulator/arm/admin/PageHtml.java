package io.tidemark.emulator.arm.admin;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmModel;
import io.tidemark.emulator.kit.http.Html;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Writes the page for people: what there is, and how often it was asked for. Needs no script. */
final class PageHtml {
  /** Rows of one table; the state has them all. */
  private static final int ROWS_MAX = 500;

  private PageHtml() {}

  static String of(ArmModel world, Instant now) {
    Html page = Html.page("Azure Resource Manager emulator");
    page.element("p", "As of " + now.truncatedTo(ChronoUnit.SECONDS) + ".");
    Document state = world.state();
    table(page, "Subnets", state.objects("subnets"), List.of("id", "limit", "used"));
    table(
        page,
        "Machines",
        state.objects("machines"),
        List.of("id", "provisioningState", "power", "etag"));
    table(
        page,
        "Network interfaces",
        state.objects("interfaces"),
        List.of("id", "provisioningState", "addresses", "etag"));
    page.table("Requests", List.of("operation", "count"));
    world
        .audit()
        .counts()
        .forEach((name, count) -> page.row(List.of(name, Integer.toString(count))));
    return page.endTable().endPage();
  }

  private static void table(Html page, String caption, List<Document> rows, List<String> columns) {
    page.table(caption, columns);
    rows.stream()
        .limit(ROWS_MAX)
        .forEach(
            each -> page.row(columns.stream().map(key -> String.valueOf(each.get(key))).toList()));
    page.endTable();
  }
}
