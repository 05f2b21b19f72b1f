package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One page of what a caller sees in a table.
 *
 * @param resources in the order of their creation
 * @param nextToken leads on; empty on the last page
 */
record Listing<T>(List<T> resources, Optional<String> nextToken) {
  Listing {
    resources = List.copyOf(resources);
  }

  /**
   * Reads ids, filters, MaxResults and NextToken of the call.
   *
   * @param ids the parameter that names resources; each must be there
   */
  static <T extends Resource> Listing<T> of(
      Call call, Table<T> table, String ids, Filters<T> filters, PageRequest.Rule rule) {
    PageRequest page = PageRequest.read(call.parameters(), rule);
    Predicate<T> filter = filters.read(call.parameters());
    List<String> named = call.parameters().texts(ids);
    if (!named.isEmpty()) {
      return new Listing<>(
          named(call, table, named).stream().filter(filter).toList(), Optional.empty());
    }
    return page(
        call.seen(table, page.serial(), Filters.exact(call.parameters())).iterator(), page, filter);
  }

  private static <T extends Resource> List<T> named(Call call, Table<T> table, List<String> ids) {
    List<T> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String id : ids.stream().distinct().toList()) {
      table.type().requireWellFormed(id);
      call.seen(table, id).ifPresentOrElse(found::add, () -> missing.add(id));
    }
    if (!missing.isEmpty()) {
      throw table.type().notFound(missing);
    }
    return found;
  }

  private static <T> Listing<T> page(
      Iterator<Table.Seen<T>> rest, PageRequest page, Predicate<T> filter) {
    int most = page.most().orElse(Integer.MAX_VALUE);
    List<T> found = new ArrayList<>();
    long last = 0;
    while (rest.hasNext()) {
      Table.Seen<T> next = rest.next();
      if (filter.test(next.resource())) {
        if (found.size() == most) {
          return new Listing<>(found, Optional.of(page.tokenAfter(Long.toString(last))));
        }
        found.add(next.resource());
        last = next.serial();
      }
    }
    return new Listing<>(found, Optional.empty());
  }
}
