package fixture.elsewhere;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import java.io.*;
import java.nio.charset.Charset;
import java.nio.file.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Does once everything that main code may not do. Text for a test that compiles it. */
class Offender {
  Supplier<Long> readByReference = System::nanoTime;

  void clock() {
    System.currentTimeMillis();
    Instant.now();
    LocalDate.now();
    LocalTime.now();
    LocalDateTime.now();
    OffsetDateTime.now();
    ZonedDateTime.now();
    Clock.systemUTC();
    Clock.systemDefaultZone();
    Clock.system(ZoneOffset.UTC);
    new Date();
    Calendar.getInstance();
  }

  void waits(
      Thread thread,
      Condition condition,
      FutureTask<Void> task,
      CompletableFuture<Void> future,
      LinkedBlockingQueue<String> queue,
      CompletionService<Void> completions,
      ExecutorService executor,
      WatchService watch,
      Process process)
      throws Exception {
    Thread.sleep(1);
    thread.join();
    Thread.yield();
    Thread.onSpinWait();
    wait();
    wait(1);
    wait(1, 1);
    TimeUnit.SECONDS.sleep(1);
    LockSupport.park();
    LockSupport.parkNanos(1);
    LockSupport.parkUntil(1);
    condition.await();
    condition.awaitNanos(1);
    task.get();
    future.join();
    queue.take();
    queue.put("");
    queue.poll(1, TimeUnit.SECONDS);
    queue.offer("", 1, TimeUnit.SECONDS);
    completions.take();
    new CountDownLatch(1).await();
    new CyclicBarrier(1).await();
    new Semaphore(1).acquire();
    new Semaphore(1).tryAcquire(1, TimeUnit.SECONDS);
    executor.awaitTermination(1, TimeUnit.SECONDS);
    executor.invokeAll(List.of());
    executor.invokeAny(List.of(() -> ""));
    process.waitFor();
    watch.take();
    watch.poll(1, TimeUnit.SECONDS);
  }

  void timers(CompletableFuture<String> future) {
    future.orTimeout(1, TimeUnit.SECONDS);
    future.completeOnTimeout("", 1, TimeUnit.SECONDS);
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
    new Timer();
    new Timer(true);
    new Timer("");
    new Timer("", true);
  }

  void threads(List<String> list, Stream<String> stream) {
    new Thread();
    Executors.newFixedThreadPool(1);
    Executors.newCachedThreadPool();
    Executors.newSingleThreadExecutor();
    Executors.newScheduledThreadPool(1);
    Executors.newSingleThreadScheduledExecutor();
    Executors.newWorkStealingPool();
    new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    new ScheduledThreadPoolExecutor(1);
    new ForkJoinPool();
    ForkJoinPool.commonPool();
    list.parallelStream();
    stream.parallel();
  }

  void chance(List<String> list) {
    Math.random();
    StrictMath.random();
    new Random();
    new SplittableRandom();
    ThreadLocalRandom.current();
    new java.security.SecureRandom();
    UUID.randomUUID();
    Collections.shuffle(list);
    RandomGenerator.getDefault();
    RandomGenerator.of("Random");
  }

  void streams(Exception failure) {
    System.out.println();
    System.err.println();
    System.in.mark(1);
    System.exit(1);
    failure.printStackTrace();
  }

  void defaults(String text, byte[] bytes, File file, PrintStream print, PrintWriter writer)
      throws Exception {
    text.getBytes();
    new String(bytes);
    new String(bytes, 0, 0);
    text.toLowerCase();
    text.toUpperCase();
    String.format("", text);
    text.formatted();
    new FileReader(file);
    new FileReader(text);
    new FileWriter(file);
    new FileWriter(text);
    new InputStreamReader(new FileInputStream(file));
    new OutputStreamWriter(print);
    new PrintStream(print);
    print.printf("");
    new PrintWriter(print);
    writer.printf("");
    new ByteArrayOutputStream().toString();
    new Scanner(System.in);
    Locale.getDefault();
    Charset.defaultCharset();
    DateTimeFormatter.ofPattern("");
  }

  void resilience(Retry retry, Supplier<CompletionStage<String>> stage)
      throws Throwable {
    retry.executeSupplier(() -> "");
    retry.executeCallable(() -> "");
    retry.executeRunnable(() -> {});
    retry.executeCheckedSupplier(() -> "");
    Retry.decorateSupplier(retry, () -> "");
    Retry.decorateCallable(retry, () -> "");
    retry.context();
    IntervalFunction.ofRandomized(1);
    IntervalFunction.ofExponentialRandomBackoff();
  }

  void commonPool(CompletableFuture<String> future, CompletionStage<String> stage) {
    CompletableFuture.supplyAsync(() -> "");
    CompletableFuture.runAsync(() -> {});
    future.completeAsync(() -> "");
    stage.thenRunAsync(() -> {});
  }
}
