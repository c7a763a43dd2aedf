//! Goals, rewards, streaks and badges.

// snippet.hide
import FieldCore
import Foundation
import WalkKit

func rewardingGoodDogs(diary: WalkDiary, pet: Pet.ID) async throws {
  // snippet.show
  // snippet.goal
  let goals = try await diary.places(.goal)
  let walk = try await diary.start(pets: [pet], goal: .random(of: goals))
  if let goal = walk.current.goal { print(goal.place.name, goal.distance as Any, goal.isReached) }
  switch await walk.checkGoal() {
  case .reached(let place): print("at", place.name)
  case let answer: print(answer.koreanMessage ?? "no goal")  // 목표 지점에 도착하지 않았어요!
  }
  // snippet.end

  // snippet.claim
  for walk in try await diary.pendingRewards(of: pet) {
    if try await diary.claimReward(of: walk.id) {
      print("bone and heart", WalkTexts.praise.string(in: .korean))  // once, ever
    }
  }
  // snippet.end

  // snippet.figures
  let goal = try WeeklyGoal(.minutes(150), pet: pet)
  let progress = try await diary.progress(of: goal)
  print(progress.fraction, progress.isMet)
  let streak = try await diary.streak(of: pet, rule: StreakRule(leastTime: .seconds(600)))
  print(streak.current, streak.longest)
  for badge in try await diary.badges(of: pet) { print(badge.id, badge.earned) }
  // snippet.end
  // snippet.hide
}
